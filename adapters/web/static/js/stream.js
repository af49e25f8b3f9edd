// The live stream. The browser itself comes back after a break and says what it saw last.

import { by } from "./dom.js";
import { keep, state, tell } from "./state.js";

let source = null;
let waiting = 500;

export function listen(anew) {
  source?.close();
  source = new EventSource(`/api/stream?after=${state.revision}`);
  source.onopen = () => { waiting = 500; by("connection").hidden = true; };
  source.onerror = () => {
    by("connection").hidden = false;
    if (source.readyState !== EventSource.CLOSED) return;
    setTimeout(() => listen(anew), waiting); // refused for good in the browser's eyes, not in ours
    waiting = Math.min(waiting * 2, 8000);
  };
  source.addEventListener("message", (event) => {
    const message = JSON.parse(event.data);
    state.revision = Math.max(state.revision, message.revision);
    if (message.channel === state.channel) keep(message);
    else if (message.by === "footnote" && message.state !== "working") {
      state.news.add(message.channel);
      tell("channels");
    }
    if (["ingest", "forgotten"].includes(message.kind) || message.state === "withdrawn") tell("papers-changed", message);
  });
  source.addEventListener("step", (event) => {
    const { step } = JSON.parse(event.data);
    state.steps.set(step.file || step.message, step);
    tell("step", step);
  });
  source.addEventListener("channels", (event) => {
    state.channels = JSON.parse(event.data);
    tell("channels");
  });
  source.addEventListener("anew", () => anew());
}
