// The first visit: three sample papers with questions, each one click away from its cited answer.

import { post } from "./api.js";
import { say } from "./sending.js";
import { by, el, newId, trouble } from "./dom.js";
import { on, state } from "./state.js";

let wanted = null; // a question that waits until its sample paper is read

/** Show or hide the welcome, by whether anything was said here. */
export function drawWelcome() {
  const box = by("welcome");
  const empty = state.order.length === 0;
  box.hidden = !empty;
  if (!empty) return box.replaceChildren();
  const samples = state.samples.map((one) => el("div", { class: "sample" },
    el("p", { class: "title" }, one.title),
    el("p", { class: "about" }, one.about),
    el("div", { class: "starters" }, one.questions.map((question) =>
      el("button", { type: "button", class: "starter", click: () => begin(question, one.name) }, question)))));
  box.replaceChildren(el("div", { class: "welcome" },
    el("h2", {}, "Drop a paper, ask a question, check the footnote."),
    el("p", { class: "lead" }, "Every sentence of an answer stands on words that are printed on a page. Press its number and see them there. Nothing leaves this machine."),
    samples.length ? [
      el("h3", {}, "Or try it on three short papers of our own"),
      samples,
      el("button", { type: "button", class: "plain all", click: () => begin("", "") }, "Read all three")] : null));
}

async function begin(question, name) {
  wanted = question ? { question, name, message: "" } : null;
  try {
    const { message } = await post(`/api/channels/${state.channel}/samples`, { id: newId() });
    if (wanted) wanted.message = message;
    askWhenRead();
  } catch (failure) {
    wanted = null;
    trouble(failure.message);
  }
}

function askWhenRead() {
  if (!wanted?.message) return;
  const file = state.messages.get(wanted.message)?.files.find((one) => one.name === wanted.name);
  if (!file || file.state === "waiting") return;
  const { question } = wanted;
  wanted = null;
  if (file.state === "read") say({ text: question, papers: [file.paper] });
}

/** Listen to what changes. */
export function setUpWelcome() {
  on("message", () => { drawWelcome(); askWhenRead(); });
}
