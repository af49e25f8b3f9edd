// The page beside the answer: a footnote's page with its quote marked, the next and the one before, other pages.

import { picture } from "./api.js";
import { announce, by, count, el, quiet, tied } from "./dom.js";
import { quoted } from "./blocks.js";
import { state, tell } from "./state.js";

const dialog = () => by("reader");
const small = () => matchMedia("(max-width: 56rem)").matches;
let shown = null; // {message, notes, at, span} or {paper, page}
let from = null;
let wide = false;
let turn = 0;

/** Open the footnote `marker` of a message; `opener` gets the focus back. */
export function openNote(message, marker, opener) {
  const list = message.notes;
  const at = list.findIndex((one) => one.marker === marker);
  if (at < 0) return;
  from = opener ?? from;
  shown = { message, notes: list, at, span: 0, paper: list[at].paper, page: list[at].quotes[0]?.page ?? 1 };
  show();
}

/** Open a paper at a page; `about` are elements that tell of it. */
export function openPaper(paper, page, opener, about) {
  from = opener ?? from;
  shown = { notes: null, paper: paper.id, page, whole: paper, about };
  show();
}

export function closeReader() {
  if (!dialog().open) return;
  dialog().close();
}

/** Close the window where it shows a page of one of `papers`. */
export function closeReaderOf(papers) {
  if (papers.some((one) => one.id === shown?.paper)) closeReader();
}

export const readerIsOpen = () => dialog().open;

/** Go `by_` footnotes on (or back). */
export function step(by_) {
  if (!shown?.notes) return;
  const places = shown.notes.flatMap((note, at) => (note.quotes.length ? note.quotes.map((_, span) => ({ at, span })) : [{ at, span: 0 }]));
  const now = places.findIndex((one) => one.at === shown.at && one.span === shown.span);
  const next = places[now + by_];
  if (!next) return;
  const note = shown.notes[next.at];
  Object.assign(shown, next, { paper: note.paper, page: note.quotes[next.span]?.page ?? shown.page });
  show();
}

/** Turn to another page of the same paper. */
export function turnTo(page) {
  if (!shown || page < 1 || page > pages()) return;
  shown.page = page;
  show();
}

export const turnBy = (by_) => shown && turnTo(shown.page + by_);

const paperOf = () => shown.whole ?? state.papers.find((one) => one.id === shown.paper);
const pages = () => paperOf()?.pages ?? Infinity;

function show() {
  const box = dialog();
  const note = shown.notes?.[shown.at];
  box.replaceChildren(head(note), about(note), el("div", { class: "sheet", tabindex: "0", role: "region", "aria-label": "Picture of the page" }), foot());
  if (!box.open) {
    by("reader").parentElement.classList.add("reading");
    if (small()) box.showModal(); else box.show();
    tell("reader");
  }
  box.querySelector(".close").focus({ preventScroll: true });
  draw(box.querySelector(".sheet"), note);
  current(note);
}

function head(note) {
  const places = shown.notes?.length ?? 0;
  const where = note ? `Footnote ${note.marker} of ${places}` : `Page ${shown.page} of ${paperOf()?.pages ?? "?"}`;
  return el("div", { class: "reader-head" },
    el("span", { class: "where", role: "status" }, where),
    note && el("button", { type: "button", "aria-label": "Footnote before", title: "Footnote before (p)", click: () => step(-1), disabled: shown.at === 0 && shown.span === 0 }, "‹"),
    note && el("button", { type: "button", "aria-label": "Next footnote", title: "Next footnote (n)", click: () => step(1),
      disabled: shown.at === places - 1 && shown.span >= (note.quotes.length || 1) - 1 }, "›"),
    el("button", { type: "button", "aria-label": wide ? "Fit the page" : "Enlarge the page", title: "Enlarge (z)", "aria-pressed": String(wide), click: enlarge }, wide ? "−" : "+"),
    el("button", { type: "button", class: "close", "aria-label": "Close the page", title: "Close (Esc)", click: closeReader }, "×"));
}

function about(note) {
  if (!note) return el("div", { class: "reader-about" }, shown.about ?? el("h2", {}, paperOf()?.title ?? ""));
  return el("div", { class: "reader-about" },
    el("h2", {}, note.title || "…"),
    el("p", { class: "byline" }, [note.byline, tied(note.place)].filter(Boolean).join(" · ")),
    note.computed ? el("p", { class: "found" }, `${note.computed}, from footnotes ${note.operands.join(", ")}`) : null,
    note.quotes.length ? el("blockquote", { tabindex: "0" }, quoted(note)) : null);
}

function foot() {
  const total = paperOf()?.pages;
  return el("div", { class: "turn" },
    el("button", { type: "button", "aria-label": "Page before", click: () => turnBy(-1), disabled: shown.page <= 1 }, "‹"),
    el("span", {}, total ? `page ${shown.page} of ${total}` : `page ${shown.page}`),
    el("button", { type: "button", "aria-label": "Next page", click: () => turnBy(1), disabled: total ? shown.page >= total : false }, "›"));
}

async function draw(sheet, note) {
  const mine = ++turn;
  const paper = el("div", { class: `paper${wide ? " wide" : ""}` }, el("div", { class: "waits" }, "drawing the page …"));
  sheet.append(paper);
  const { page, paper: id } = shown;
  try {
    const address = await picture(state.channel, id, page);
    if (mine !== turn) return;
    const spans = note ? note.quotes.filter((one) => one.page === page) : [];
    const image = el("img", { alt: alternative(note, page, spans) });
    image.src = address;
    await image.decode();
    if (mine !== turn) return;
    const points = [image.naturalWidth, image.naturalHeight].map((dots) => (dots * 72) / state.dpi);
    const boxes = spans.flatMap((one) => one.boxes).map((box) => marked(box, points));
    paper.replaceChildren(image, ...boxes);
    if (boxes.length) toSee(sheet, boxes);
  } catch (failure) {
    if (mine === turn) paper.replaceChildren(el("div", { class: "waits" }, failure.message));
  }
}

function alternative(note, page, spans) {
  const title = note?.title || paperOf()?.title || "the paper";
  if (!spans.length) return `Page ${page} of ${title}`;
  return `Page ${page} of ${title}; marked: ${spans.map((one) => one.quote).join(" … ")}`;
}

function marked([x0, y0, x1, y1], [width, height]) {
  const box = el("div", { class: "box" });
  Object.assign(box.style, {
    left: `${((x0 - 1) / width) * 100}%`, top: `${((y0 - 1) / height) * 100}%`,
    width: `${((x1 - x0 + 2) / width) * 100}%`, height: `${((y1 - y0 + 2) / height) * 100}%`,
  });
  return box;
}

function toSee(sheet, boxes) {
  const first = boxes[0].getBoundingClientRect();
  const view = sheet.getBoundingClientRect();
  sheet.scrollTop += first.top - view.top - view.height * 0.3;
  sheet.scrollLeft += first.left - view.left - 24;
}

function enlarge() {
  wide = !wide;
  show();
}
export { enlarge };

/** Show in the conversation which footnote is open. */
function current(note) {
  for (const one of document.querySelectorAll(".current, [aria-current][data-marker]")) {
    one.classList.remove("current");
    one.removeAttribute("aria-current");
  }
  if (!note) return;
  const reply = document.getElementById(`m-${shown.message.id}`);
  reply?.querySelector(`li[data-marker="${note.marker}"]`)?.classList.add("current");
  for (const one of reply?.querySelectorAll(`button[data-marker="${note.marker}"]`) ?? []) one.setAttribute("aria-current", "true");
  announce(`Footnote ${note.marker}: ${note.title}, ${note.place}. ${quoted(note)}`);
}

/** Wire the window once. */
export function setUpReader() {
  const box = dialog();
  box.addEventListener("close", () => {
    box.parentElement.classList.remove("reading");
    box.replaceChildren();
    shown = null;
    turn += 1;
    current(null);
    if (from?.isConnected) from.focus({ preventScroll: true });
    else by("log").focus({ preventScroll: true });
    from = null;
    tell("reader");
  });
}

/** What a paper's page is headed with. */
export function aboutPaper(paper, found, actions) {
  return [
    el("h2", {}, paper.title),
    el("p", { class: "byline" }, [paper.authors.join(", ") || paper.byline, paper.venue, paper.doi, count(paper.pages, "page"), paper.kind].filter(Boolean).join(" · ")),
    el("p", { class: "found" }, found),
    ...paper.warnings.map((one) => el("p", { class: "found" }, `Not read: ${one}`)),
    el("div", { class: "actions" }, actions.map(([label, press]) => quiet(label, press))),
  ];
}
