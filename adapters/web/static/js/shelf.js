// Channels and papers: where one is, what is there, what can be done with a paper or with several.

import { dropPictures, get } from "./api.js";
import { say } from "./sending.js";
import { newChannel } from "./dialogs.js";
import { by, count, el, quiet } from "./dom.js";
import { aboutPaper, closeReaderOf, openPaper } from "./reader.js";
import { here, on, state, tell } from "./state.js";

const KINDS = { sections: "section", tables: "table", figures: "figure", formulas: "formula", references: "reference", passages: "passage" };

/** What can be done with papers, where the bot knows the command: label, command, what stands before the papers. */
const WITH_ONE = [["Summarise", "summarise", ""], ["Extract", "extract", ""], ["Review", "review", ""], ["Related", "related", ""], ["Cite", "bibliography", "bibtex "]];
const WITH_MANY = [["Compare", "compare", ""], ["Extract", "extract", ""], ["Review", "review", ""], ["Cite", "bibliography", "bibtex "]];

const IN_CHANNEL = [["Digest", "digest preview"], ["Settings", "settings"]];

export function drawChannels() {
  by("channels").replaceChildren(...state.channels.map((one) => el("li", {},
    el("button", { type: "button", "aria-current": one.id === state.channel ? "true" : null, click: () => tell("go", one.id) },
      el("span", { class: one.visibility === "open" ? "mark" : "mark lock", "aria-hidden": "true" }, one.visibility === "open" ? "#" : ""),
      el("span", {}, one.name), one.visibility === "open" ? null : el("span", { class: "hidden" }, " (private)"),
      state.news.has(one.id) ? el("span", { class: "news" }, el("span", { class: "hidden" }, "something new")) : null))));
  const now = here();
  if (!now) return;
  by("channel-name").textContent = now.visibility === "open" ? `#${now.name}` : now.name;
  by("channel-note").textContent = now.visibility === "open"
    ? "Papers here are found from every channel." : "Private: papers here are found only here.";
  by("channel-acts").replaceChildren(...IN_CHANNEL.filter(([, words]) => knows(words.split(" ")[0])).map(([label, words]) =>
    quiet(label, () => say({ text: label, words: `/${words}` }))));
  document.title = `${now.name} · Footnote`;
}

export async function loadPapers() {
  const channel = state.channel;
  try {
    const papers = await get(`/api/channels/${encodeURIComponent(channel)}/papers`);
    if (channel !== state.channel) return;
    const gone = state.papers.filter((one) => !papers.some((other) => other.id === one.id));
    state.papers = papers;
    if (gone.length) letGo(gone);
  } catch { return; } // the connection line says so already
  for (const id of [...state.chosen]) if (!state.papers.some((one) => one.id === id)) state.chosen.delete(id);
  drawPapers();
  tell("chosen");
}

function letGo(papers) {
  dropPictures();
  closeReaderOf(papers);
}

function drawPapers() {
  const filter = by("papers-filter");
  const wanted = filter.value.trim().toLowerCase();
  const shown = state.papers.filter((one) => !wanted || `${one.title} ${one.byline} ${one.file}`.toLowerCase().includes(wanted));
  by("papers-count").textContent = state.papers.length || "";
  filter.hidden = state.papers.length < 8;
  by("papers").replaceChildren(...(shown.length ? shown.map(row) : [el("li", { class: "loose" },
    el("span", { class: "none" }, state.papers.length ? "No paper by that name." : "None yet. Drop a PDF anywhere."))]));
}

function row(paper) {
  const choose = (event) => {
    if (event.currentTarget.checked) state.chosen.add(paper.id); else state.chosen.delete(paper.id);
    tell("chosen");
  };
  return el("li", {},
    el("input", { type: "checkbox", "aria-label": `Choose ${paper.title}`, "data-paper": paper.id, checked: state.chosen.has(paper.id), change: choose }),
    el("button", { type: "button", click: (event) => show(paper, event.currentTarget) },
      el("span", { class: "title" }, paper.title),
      el("span", { class: "byline" }, [paper.byline, count(paper.pages, "page"), paper.here ? "" : "another channel"].filter(Boolean).join(" · "))));
}

const knows = (name) => state.commands.some((one) => one.name === name);
const short = (paper) => paper.id.slice(0, 16);

/** Open a paper's first page with what was found in it and what can be done with it. */
async function show(paper, opener) {
  const actions = [
    ...WITH_ONE.filter(([, name]) => knows(name)).map(([label, name, before]) =>
      [label, () => say({ text: `${label} “${paper.title}”`, words: `/${name} ${before}${short(paper)}` })]),
    ["Ask it alone", () => { state.chosen.clear(); state.chosen.add(paper.id); tell("chosen"); by("words").focus(); }],
    ["Forget", () => say({ text: "Forget a paper", words: `/forget ${short(paper)}` })],
  ];
  openPaper(paper, 1, opener, aboutPaper(paper, "…", actions));
  const counts = await get(`/api/channels/${encodeURIComponent(state.channel)}/papers/${paper.id}/found`).catch(() => ({}));
  const told = Object.entries(KINDS).filter(([key]) => counts[key]).map(([key, word]) => count(counts[key], word));
  const place = document.querySelector("#reader .found");
  if (place) place.textContent = told.length ? `Found: ${told.join(", ")}.` : "";
}

function drawChosen() {
  for (const one of by("papers").querySelectorAll("[data-paper]")) one.checked = state.chosen.has(one.dataset.paper);
  const box = by("chosen");
  box.hidden = !state.chosen.size;
  if (!state.chosen.size) return;
  const papers = state.papers.filter((one) => state.chosen.has(one.id));
  const names = papers.map(short);
  const many = (papers.length > 1 ? WITH_MANY : WITH_ONE).filter(([, name]) => knows(name)).map(([label, name, before]) =>
    quiet(label, () => say({ text: `${label} ${papers.map((one) => `“${one.title}”`).join(" and ")}`, words: `/${name} ${before}${names.join("; ")}` })));
  box.replaceChildren(
    el("p", {}, `${count(papers.length, "paper")} chosen; questions are asked of ${papers.length === 1 ? "it" : "them"} alone.`),
    el("div", {}, many, quiet("Clear", () => { state.chosen.clear(); tell("chosen"); })));
}

/** Wire the column once. */
export function setUpShelf() {
  on("channels", drawChannels);
  on("papers-changed", loadPapers);
  on("chosen", drawChosen);
  by("papers-filter").addEventListener("input", drawPapers);
  by("new-channel").addEventListener("click", async () => {
    const made = await newChannel();
    if (!made) return;
    state.channels = [...state.channels.filter((one) => one.id !== made.id), made];
    tell("go", made.id);
  });
  const rail = by("rail");
  const toggle = (open) => {
    rail.classList.toggle("shown", open);
    by("veil").hidden = !open;
    by("menu").setAttribute("aria-expanded", String(open));
    if (open) rail.querySelector("button").focus();
  };
  by("menu").addEventListener("click", () => toggle(!rail.classList.contains("shown")));
  by("veil").addEventListener("click", () => toggle(false));
  // Anywhere on the page: what was focused need not lie in the drawer, which is hidden while it slides in.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !rail.classList.contains("shown") || event.target.closest?.("dialog")) return;
    event.stopPropagation();  // the reader below stays open
    toggle(false);
    by("menu").focus();
  }, { capture: true });
  // Where the window became too wide for a drawer there is no button any more to close it with.
  addEventListener("resize", () => {
    if (rail.classList.contains("shown") && !by("menu").getClientRects().length) toggle(false);
  });
  on("go", () => toggle(false));
  on("reader", () => toggle(false));
}
