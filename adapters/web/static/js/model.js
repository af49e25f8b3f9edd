// The window that shows, tries and connects a language model.

import { get, post } from "./api.js";
import { by, el, quiet } from "./dom.js";

const TRYING = "Trying it with a few questions; a slow model takes a minute or two …";

/** Open the window over the page. */
export function showModel() {
  const opener = document.activeElement;
  const current = el("p", {}, "Looking …");
  const servers = el("div", { class: "servers" });
  const outcome = el("div", { class: "outcome", role: "status" });
  const url = input("url", { type: "text", required: true });
  const model = input("model", { type: "text", placeholder: "only where there are several" });
  const key = input("key", { type: "password" });
  const submit = el("button", { type: "submit", class: "primary" }, "Try and connect");
  const form = el("form", { submit: (event) => { event.preventDefault(); connect(); } },
    field("Address", url, "As the server’s maker gives it for OpenAI-compatible clients; it often ends in /v1."), field("Model", model),
    field("Key", key, "Only where the server wants one. It is written into the settings file of this machine and shown nowhere."),
    el("div", { class: "ends" },
      el("button", { type: "button", class: "plain", click: () => box.close() }, "Close"), submit));
  const box = el("dialog", { class: "ask model", "aria-labelledby": "model-title" },
    el("h2", { id: "model-title" }, "Language model"), current, servers, form, outcome);

  async function connect() {
    submit.disabled = true;
    tell([TRYING]);
    try {
      const came = await post("/api/model", { url: url.value, model: model.value, key: key.value });
      tell(came.lines ?? [came.key]);
      if (came.key) key.focus();
      else key.value = "";
    } catch (failure) {
      tell([failure.message]);
    } finally {
      submit.disabled = false;
    }
  }

  function tell(lines) {
    outcome.replaceChildren(...lines.map((line) => el("p", {}, line)));
    outcome.scrollIntoView({ block: "nearest" });
  }

  function choose(server, offered) {
    url.value = server.base_url;
    model.value = offered?.name ?? "";
    (offered ? submit : key).focus();
  }

  box.addEventListener("close", () => { box.remove(); opener?.focus?.(); });
  document.body.append(box);
  box.showModal();
  look().catch((failure) => tell([failure.message]));

  async function look() {
    const told = await get("/api/model");
    current.textContent = told.current;
    servers.replaceChildren(...told.servers.map((server) => el("section", {},
      el("h3", { class: "label" }, `${server.program}’s port on this machine`),
      el("ul", {}, server.models.length
        ? server.models.map((offered) => el("li", {}, quiet(offered.name, () => choose(server, offered))))
        : el("li", {}, quiet("wants a key", () => choose(server)))))));
    if (!told.servers.length) servers.append(el("p", {}, "No server of language models answers on this machine."));
  }
}

function input(name, attributes) {
  return el("input", { name, autocomplete: "off", spellcheck: "false", ...attributes });
}

function field(label, control, hint = "") {
  return el("label", { class: "field" }, el("span", {}, label), control, hint ? el("small", {}, hint) : null);
}

/** The button that opens the window. */
export function setUpModel() {
  by("model").addEventListener("click", showModel);
}
