// Small windows that ask for something: forms, a new channel, what the keys do.

import { post } from "./api.js";
import { by, el, trouble } from "./dom.js";

/** Show a form; resolves to its fields by name, or null where it was closed. */
export function openForm({ title, fields, submit = "Send", words = "", style = "primary" }) {
  return new Promise((done) => {
    const opener = document.activeElement;
    const rows = fields.map(field);
    const form = el("form", { method: "dialog" },
      el("h2", { id: "ask-title" }, title),
      words ? el("p", {}, words) : null,
      rows,
      el("div", { class: "ends" },
        el("button", { type: "button", class: "plain", click: () => box.close() }, "Cancel"),
        el("button", { type: "submit", class: `primary ${style}`, value: "sent" }, submit)));
    const box = el("dialog", { class: "ask", "aria-labelledby": "ask-title" }, form);
    box.addEventListener("close", () => {
      const sent = box.returnValue === "sent";
      const values = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
      box.remove();
      if (opener?.isConnected) opener.focus({ preventScroll: true });
      done(sent ? values : null);
    });
    document.body.append(box);
    box.showModal();
    (box.querySelector("input, textarea, select") ?? box.querySelector("button[type=submit]")).focus();
  });
}

function field(one) {
  const shared = { name: one.name, required: one.required !== false };
  let input;
  if (one.kind === "check") {
    return el("label", { class: "check" }, el("input", { type: "checkbox", name: one.name, value: "yes" }), el("span", {}, one.label));
  }
  if (one.kind === "choice") {
    input = el("select", shared, one.choices.map(([value, label]) => el("option", { value, selected: value === one.initial }, label)));
  } else if (one.kind === "text") {
    input = el("textarea", { ...shared, rows: "4" });
    input.value = one.initial ?? "";
  } else {
    input = el("input", { type: "text", ...shared, value: one.initial ?? "", autocomplete: "off" });
  }
  return el("label", { class: "field" }, el("span", {}, one.label), input, one.hint ? el("small", {}, one.hint) : null);
}

/** Ask for a new channel; resolves to it, or null. */
export async function newChannel() {
  const given = await openForm({ title: "New channel", submit: "Make it", fields: [
    { name: "name", label: "Name", kind: "line", hint: "A project, a seminar, a paper in preparation." },
    { name: "private", label: "Private: papers shared here are found only here", kind: "check" }] });
  if (!given) return null;
  try {
    return await post("/api/channels", { name: given.name, private: given.private === "yes" });
  } catch (failure) {
    trouble(failure.message);
    return null;
  }
}

const KEYS = [
  [["n", "p"], "next footnote, the one before"],
  [["[", "]"], "the page before, the next page"],
  [["z"], "enlarge the page"],
  [["Esc"], "close the page"],
  [["/"], "write a question; a stroke as its first sign begins a command"],
  [["Enter"], "ask; with Shift, a new line"],
  [["?"], "this list"],
];

/** What the keys do. */
export function showKeys() {
  const opener = document.activeElement;
  const box = el("dialog", { class: "ask", "aria-labelledby": "keys-title" },
    el("h2", { id: "keys-title" }, "Keys"),
    el("dl", {}, KEYS.map(([keys, does]) => [el("dt", {}, keys.map((key) => [el("kbd", {}, key), " "])), el("dd", {}, does)])),
    el("form", { method: "dialog", class: "ends" }, el("button", { class: "plain" }, "Close")));
  box.addEventListener("close", () => { box.remove(); opener?.focus?.(); });
  document.body.append(box);
  box.showModal();
}

/** Light, dark, or as the system has it. */
export function setUpTheme() {
  const names = { auto: "Light or dark: as the system", light: "Light", dark: "Dark" };
  const button = by("theme");
  let now = "auto";
  try { now = localStorage.getItem("theme") ?? "auto"; } catch { /* nothing may be kept */ }
  const apply = () => {
    if (now === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = now;
    button.textContent = now === "auto" ? "Theme" : names[now];
    button.setAttribute("aria-label", `Theme: ${names[now]}`);
    button.title = names[now];
  };
  button.addEventListener("click", () => {
    now = { auto: "light", light: "dark", dark: "auto" }[now];
    try { localStorage.setItem("theme", now); } catch { /* for this visit only */ }
    apply();
  });
  apply();
}
