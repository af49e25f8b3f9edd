// The conversation: one article a thread, in it what was said, dropped and replied. A change redraws its message only.

import { post } from "./api.js";
import { asText, blocks, notes } from "./blocks.js";
import { followUp } from "./composer.js";
import { openForm } from "./dialogs.js";
import { announce, by, el, newId, quiet, size, trouble } from "./dom.js";
import { openNote } from "./reader.js";
import { press, say } from "./sending.js";
import { on, state } from "./state.js";

const log = () => by("log");
const nearEnd = () => log().scrollHeight - log().scrollTop - log().clientHeight < 160;

/** Draw the whole channel anew, its end in view. */
export function drawAll() {
  by("threads").replaceChildren();
  for (const id of state.order) draw(state.messages.get(id));
  by("older").hidden = !state.more;
  toEnd();
}

const toEnd = () => log().scrollTo({ top: log().scrollHeight, behavior: "instant" });

/** Draw one message where it belongs. */
export function draw(message) {
  const follow = nearEnd();
  const home = articleOf(message.thread);
  const old = by(`m-${message.id}`);
  const made = message.by === "reader" ? said(message) : reply(message);
  if (old) old.replaceWith(made);
  else home.insertBefore(made, home.querySelector(":scope > .follow"));
  offerFollowUp(home, message.thread);
  if (follow && !old?.contains(document.activeElement)) toEnd();
}

function articleOf(thread) {
  const known = by(`t-${thread}`);
  if (known) return known;
  const made = el("article", { class: "thread", id: `t-${thread}` });
  const next = state.order.map((id) => state.messages.get(id)).filter((one) => one.thread === one.id);
  const after = next.slice(next.findIndex((one) => one.id === thread) + 1).map((one) => by(`t-${one.id}`)).find(Boolean);
  by("threads").insertBefore(made, after ?? null);
  return made;
}

/** A follow-up can be asked once a question was answered here. */
function offerFollowUp(home, thread) {
  const answered = home.querySelector(".reply[data-kind=answer], .reply[data-kind=summary], .reply[data-kind=table], .reply[data-kind=review]");
  if (!answered || home.querySelector(":scope > .follow")) return;
  const acts = OF_THREAD.filter(([, name]) => state.commands.some((one) => one.name === name)).map(([label, name]) =>
    quiet(label, () => say({ text: label, words: `/${name}`, thread })));
  home.append(followUp(thread), el("div", { class: "acts" }, acts));
}

const OF_THREAD = [["Save this thread", "export"], ["Bibliography of this thread", "bibliography"]];

function said(message) {
  const made = el("section", { class: "said", id: `m-${message.id}`, "aria-label": "You" });
  const gone = message.state === "withdrawn";
  if (message.text) made.append(el("p", { class: gone ? "withdrawn" : message.files.length ? "question dropped" : "question" }, message.text));
  const files = [...message.files, ...(state.uploads.get(message.id) ?? []).filter((one) => !message.files.some((file) => file.id === one.id))];
  if (files.length) {
    if (!message.text) made.append(el("p", { class: "question dropped" }, files.length === 1 ? "A paper" : `${files.length} papers`));
    made.append(el("ul", { class: "files" }, files.map((file) => fileRow(message, file))));
  }
  const asked = message.text && !gone && !message.files.length && !message.words.startsWith("/") && !message.text.startsWith("/");
  made.append(el("div", { class: "meta" }, time(message.at), asked && quiet("Word it anew", () => edit(message))));
  return made;
}

const READ = { read: "read", known: "known already", removed: "taken away", refused: "not added" };

function fileRow(message, file) {
  const step = state.steps.get(file.id);
  const going = file.progress !== undefined || file.state === "waiting";
  const how = file.progress !== undefined ? (file.progress < 1 ? `sending, ${Math.round(file.progress * 100)} %` : "sent")
    : file.state === "waiting" ? (step ? stepWords(step) : "waiting its turn") : READ[file.state];
  return el("li", { id: `f-${file.id}` },
    el("span", { class: "name" }, file.name),
    el("span", { class: `how${file.state === "refused" ? " refused" : ""}` }, [size(file.size), how].filter(Boolean).join(" · ")),
    going && bar(file.progress !== undefined ? { done: Math.round(file.progress * 100), total: 100 } : step),
    file.words && el("span", { class: "words" }, file.words),
    file.paper && file.state !== "removed" && quiet("Take away", () => takeAway(message, file), { "aria-label": `Take ${file.name} away` }));
}

async function takeAway(message, file) {
  const sure = await openForm({ title: `Take “${file.name}” away?`, fields: [], submit: "Take it away", style: "danger",
    words: "Unless it was shared elsewhere too, the paper and every word of it are forgotten." });
  if (sure) await post(`/api/messages/${message.id}/remove`, { file: file.id }).catch((failure) => trouble(failure.message));
}

async function edit(message) {
  const given = await openForm({ title: "Word the question anew", submit: "Ask", fields: [
    { name: "text", label: "Question", kind: "text", initial: message.text, required: true }] });
  if (given?.text.trim()) {
    await post(`/api/messages/${message.id}/edit`, { id: newId(), text: given.text }).catch((failure) => trouble(failure.message));
  }
}

function reply(message) {
  const open = (marker, button) => openNote(message, marker, button);
  const made = el("section", { class: "reply", "data-kind": message.kind, "data-state": message.state, id: `m-${message.id}`, "aria-label": "Footnote" });
  if (message.text) made.append(el("p", { class: message.state === "withdrawn" ? "withdrawn" : null }, message.text));
  made.append(...blocks(message, open));
  for (const file of message.attachments) made.append(attachment(message, file));
  const list = notes(message, open);
  if (list) made.append(list);
  if (message.state === "working") made.append(working(message));
  else made.append(...under(message));
  return made;
}

function working(message) {
  const step = state.steps.get(message.id);
  return el("div", { class: "working" }, bar(step), el("span", { class: "step" }, step ? stepWords(step) : "looking …"),
    quiet("Stop", () => post(`/api/messages/${message.id}/stop`, {}).catch((failure) => trouble(failure.message))));
}

const stepWords = (step) => (step.total > 1 ? `${step.name}, ${step.done} of ${step.total}` : `${step.name} …`);

function bar(step) {
  const known = step && step.total > 1;
  const fill = el("i");
  if (known) fill.style.width = `${Math.min(100, (step.done / step.total) * 100)}%`;
  return el("span", { class: known ? "bar" : "bar unknown", "aria-hidden": "true" }, fill);
}

function attachment(message, file) {
  const path = `/api/messages/${message.id}/files/${file.place}`;
  if (file.mime.startsWith("image/")) {
    return el("figure", { class: "picture" }, el("img", { src: path, alt: file.alt || file.name, loading: "lazy" }));
  }
  return el("p", {}, el("a", { href: path, download: file.name }, `Download ${file.name}`));
}

function under(message) {
  const starters = message.buttons.filter((one) => one.action === "ask");
  const pages = new Set(message.notes.map((note) => String(note.marker)));
  const others = message.buttons.filter((one) => one.action !== "ask" && !(one.action === "page" && pages.has(one.value.split(":").at(-1))));
  const made = [];
  if (starters.length) {
    made.push(el("div", { class: "starters" }, starters.map((one) =>
      el("button", { type: "button", class: "starter", click: () => say({ text: one.label, papers: message.papers }) }, one.label))));
  }
  const actions = others.map((one) => quiet(one.label, (event) => press(message, one, event.currentTarget)));
  if (message.notes.length && message.kind !== "ingest") actions.push(quiet("Copy", () => copy(message)));
  if (actions.length) made.push(el("div", { class: "actions" }, actions));
  const foot = [message.private ? "only you see this" : "", message.footer].filter(Boolean).join(" · ");
  if (foot) made.push(el("p", { class: "foot" }, foot));
  return made;
}

async function copy(message) {
  try {
    await navigator.clipboard.writeText(asText(message));
    announce("Copied with its footnotes.");
  } catch {
    trouble("This browser does not let the page copy; please select the text instead.");
  }
}

function time(at) {
  const when = new Date(at);
  const today = when.toDateString() === new Date().toDateString();
  const words = when.toLocaleString(undefined, today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" });
  return el("time", { datetime: at }, words);
}

/** Listen to what changes. */
export function setUpThreads() {
  let last = "";
  on("message", (message) => {
    draw(message);
    if (message.by === "footnote" && message.state !== "working" && last !== `${message.id}${message.revision}`) {
      last = `${message.id}${message.revision}`;
      announce(message.kind === "answer" ? `Answered: ${asText(message).split("\n")[0]}` : asText(message).slice(0, 200));
    }
  });
  on("step", (step) => {
    const message = state.messages.get(step.message);
    if (!message) return;
    const row = step.file ? by(`f-${step.file}`) : null;
    const file = message.files.find((one) => one.id === step.file);
    if (row && file) row.replaceWith(fileRow(message, file));
    else if (message.state === "working") by(`m-${message.id}`)?.querySelector(".working")?.replaceWith(working(message));
  });
}
