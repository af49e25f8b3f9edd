// The line to write on: questions, commands with completion, follow-ups in a thread.

import { get } from "./api.js";
import { by, el, growing, quiet } from "./dom.js";
import { say } from "./sending.js";
import { on, state, tell } from "./state.js";

/** The line under a thread. */
export function followUp(thread) {
  const area = el("textarea", { rows: "1", placeholder: "Ask a follow-up", "aria-label": "Ask a follow-up" });
  growing(area);
  const form = el("form", { class: "follow" }, area, el("button", { type: "submit", class: "quiet" }, "Ask"));
  const send = async () => {
    const text = area.value.trim();
    if (!text) return;
    area.value = "";
    if (!(await say({ text, thread }))) area.value = text;
    area.dispatchEvent(new Event("input"));
  };
  form.addEventListener("submit", (event) => { event.preventDefault(); send(); });
  area.addEventListener("keydown", (event) => { if (isSend(event)) { event.preventDefault(); send(); } });
  return form;
}

const isSend = (event) => event.key === "Enter" && !event.shiftKey && !event.isComposing;

let listed = []; // {insert, usage, does, sure}: what is sure is taken by Enter, the rest once it was moved to
let picked = 0;
let moved = false;

function showList(rows) {
  listed = rows;
  picked = 0;
  moved = false;
  const box = by("commands");
  box.hidden = !rows.length;
  box.replaceChildren(...rows.map((row, place) => el("li",
    { role: "option", id: `c-${place}`, "aria-selected": String(place === 0), mousedown: (event) => { event.preventDefault(); take(place); } },
    el("span", { class: "usage" }, row.usage), el("span", { class: "does" }, row.does))));
  const words = by("words");
  words.setAttribute("aria-expanded", String(rows.length > 0));
  if (rows.length) words.setAttribute("aria-activedescendant", "c-0");
  else words.removeAttribute("aria-activedescendant");
}

function move(by_) {
  moved = true;
  picked = (picked + by_ + listed.length) % listed.length;
  [...by("commands").children].forEach((row, place) => row.setAttribute("aria-selected", String(place === picked)));
  by("words").setAttribute("aria-activedescendant", `c-${picked}`);
  by("commands").children[picked].scrollIntoView({ block: "nearest" });
}

function take(place) {
  const words = by("words");
  words.value = listed[place].insert;
  showList([]);
  words.focus();
  words.dispatchEvent(new Event("input"));
}

let asked = 0; // an answer to an older question comes too late
async function complete() {
  const text = by("words").value;
  const mine = ++asked;
  const found = /^\/(\S*)(\s+(.*))?$/s.exec(text);
  if (!found) return showList([]);
  const [, name, behind, rest = ""] = found;
  if (behind === undefined) {
    const rows = state.commands.filter((one) => one.name.startsWith(name.toLowerCase()));
    return showList(rows.map((one) => ({ insert: `/${one.name}${one.usage === one.name ? "" : " "}`, usage: `/${one.usage}`, does: one.does, sure: true })));
  }
  const path = `/api/channels/${state.channel}/choices?name=${encodeURIComponent(name)}&words=${encodeURIComponent(rest)}`;
  const choices = await get(path).catch(() => []);
  if (mine !== asked) return;
  showList(choices.filter((one) => one !== rest.trim()).slice(0, 12).map((one) => ({ insert: `/${name} ${one}`, usage: one, does: "" })));
}

/** What the next question is limited to. */
function drawLimited() {
  const box = by("limited");
  box.hidden = !state.chosen.size;
  if (!state.chosen.size) return;
  const titles = state.papers.filter((one) => state.chosen.has(one.id)).map((one) => one.title);
  const what = titles.length === 1 ? `Asking “${titles[0]}” alone` : `Asking ${titles.length} chosen papers alone`;
  box.replaceChildren(el("span", {}, what), quiet("Ask all", () => { state.chosen.clear(); tell("chosen"); }));
}

/** Wire the line once. */
export function setUpComposer() {
  const words = by("words");
  const fit = growing(words);
  words.setAttribute("role", "combobox");
  words.setAttribute("aria-expanded", "false");
  words.addEventListener("input", complete);
  words.addEventListener("blur", () => showList([]));
  words.addEventListener("keydown", (event) => {
    if (listed.length && ["ArrowDown", "ArrowUp"].includes(event.key)) { event.preventDefault(); move(event.key === "ArrowDown" ? 1 : -1); }
    else if (listed.length && event.key === "Escape") { event.stopPropagation(); asked += 1; showList([]); }
    else if (listed.length && (event.key === "Tab" || (event.key === "Enter" && takes(listed[picked]))) && !event.shiftKey) {
      event.preventDefault();
      take(picked);
    } else if (isSend(event)) { event.preventDefault(); send(); }
  });
  by("composer").addEventListener("submit", (event) => { event.preventDefault(); send(); });
  on("chosen", drawLimited);

  function takes(row) {
    return (row.sure || moved) && row.insert.trim() !== words.value.trim();
  }

  async function send() {
    const text = words.value.trim();
    if (!text) return words.focus();
    asked += 1;
    showList([]);
    words.value = "";
    fit();
    if (!(await say({ text, papers: text.startsWith("/") ? [] : [...state.chosen] }))) words.value = text;
    fit();
    words.focus();
  }
}
