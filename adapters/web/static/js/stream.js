// The live stream. After a break it goes on with what was seen last.

import { get } from "./api.js";
import { by } from "./dom.js";
import { keep, state, tell } from "./state.js";

const HIDDEN_FOR = 20_000;
let source = null;
let waiting = 500;
let again = 0;
let hiding = 0;

/** Listen from the last revision on; `anew` is called where the page's memory is not the one that this browser knew. */
export function listen(anew) {
  stop();
  source = new EventSource(`/api/stream?after=${state.revision}&edition=${state.edition}`);
  source.onopen = () => { waiting = 500; by("connection").hidden = true; tell("papers-changed"); };
  source.onerror = () => {
    lost("Connection lost; trying again …");
    if (source.readyState !== EventSource.CLOSED) return; // the browser tries by itself
    get("/api/start").catch((failure) => lost(failure.message));
    again = setTimeout(() => listen(anew), waiting);
    waiting = Math.min(waiting * 2, 8000);
  };
  source.addEventListener("message", (event) => take(JSON.parse(event.data)));
  source.addEventListener("step", (event) => {
    const { step } = JSON.parse(event.data);
    state.steps.set(step.file || step.message, step);
    tell("step", step);
  });
  source.addEventListener("channels", (event) => {
    state.channels = JSON.parse(event.data);
    tell("channels");
  });
  source.addEventListener("shelf", () => tell("papers-changed"));
  source.addEventListener("anew", async () => {
    stop();
    await anew().catch((failure) => lost(failure.message));
    listen(anew);
  });
}

/** A browser has few connections to one place: a tab that nobody looks at gives its own back for a while. */
export function listenWhileSeen(anew) {
  listen(anew);
  document.addEventListener("visibilitychange", () => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(stop, HIDDEN_FOR);
    else if (!source) listen(anew);
  });
}

function stop() {
  clearTimeout(again);
  source?.close();
  source = null;
}

function lost(words) {
  by("connection").textContent = words;
  by("connection").hidden = false;
}

function take(message) {
  state.revision = Math.max(state.revision, message.revision);
  if (message.channel === state.channel) keep(message);
  else if (message.by === "footnote" && message.state !== "working") {
    state.news.add(message.channel);
    tell("channels");
  }
  if (["ingest", "forgotten"].includes(message.kind)) tell("papers-changed");
}
