// Begins: asks what there is, shows the channel of the address, listens to what happens, takes the keys.

import { dropPictures, get } from "./api.js";
import { setUpComposer } from "./composer.js";
import { setUpTheme, showKeys } from "./dialogs.js";
import { by, trouble } from "./dom.js";
import { setUpDrops } from "./drops.js";
import { setUpModel } from "./model.js";
import { closeReader, enlarge, readerIsOpen, setUpReader, step, turnBy } from "./reader.js";
import { drawChannels, loadPapers, setUpShelf } from "./shelf.js";
import { on, state } from "./state.js";
import { listenWhileSeen } from "./stream.js";
import { drawAll, setUpThreads } from "./threads.js";
import { drawWelcome, setUpWelcome } from "./welcome.js";

async function go(channel, { thread = "" } = {}) {
  const known = state.channels.some((one) => one.id === channel) ? channel : state.channels[0].id;
  closeReader();
  Object.assign(state, { channel: known, messages: new Map(), order: [], papers: [], first: 0, more: false });
  state.chosen.clear();
  state.news.delete(known);
  const address = `#${known}${thread ? `/${thread}` : ""}`;
  if (location.hash !== address) history.replaceState(null, "", address);
  drawChannels();
  drawAll(); // nothing of the channel before stands under this one's name
  const told = await get(`/api/channels/${encodeURIComponent(known)}/messages`);
  if (state.channel !== known) return;
  take(told);
  drawAll();
  drawWelcome();
  loadPapers();
  if (thread) by(`t-${thread}`)?.scrollIntoView() ?? by(`m-${thread}`)?.scrollIntoView();
}

function take(told) {
  const older = told.messages.filter((one) => !state.messages.has(one.id));
  for (const one of older) state.messages.set(one.id, one);
  state.order = [...older.map((one) => one.id), ...state.order];
  state.first = told.first;
  state.more = told.more;
  state.revision = Math.max(state.revision, told.revision);
}

async function older() {
  const log = by("log");
  const below = log.scrollHeight - log.scrollTop;
  const channel = state.channel;
  const told = await get(`/api/channels/${encodeURIComponent(channel)}/messages?before=${state.first}`);
  if (channel !== state.channel) return;
  take(told);
  drawAll();
  log.scrollTo({ top: log.scrollHeight - below, behavior: "instant" });
}

function keys(event) {
  const writing = event.target.closest?.("input, textarea, select, dialog.ask");
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Escape" && readerIsOpen() && !event.target.closest?.("dialog.ask")) return closeReader();
  if (writing) return;
  const acts = {
    n: () => step(1), p: () => step(-1), ArrowRight: () => readerIsOpen() && step(1), ArrowLeft: () => readerIsOpen() && step(-1),
    "[": () => turnBy(-1), "]": () => turnBy(1), z: () => readerIsOpen() && enlarge(), "?": showKeys,
    "/": () => by("words").focus(),
  };
  if (!acts[event.key]) return;
  if (["/", "?"].includes(event.key)) event.preventDefault();
  acts[event.key]();
}

async function learn() {
  const { channels, commands, samples, limit, dpi, revision, edition } = await get("/api/start");
  Object.assign(state, { channels, commands, samples, limit, dpi, revision, edition });
}

/** The workspace was cleared: nothing of what stands here is there any more. */
async function anew() {
  await learn();
  dropPictures();
  await go(state.channel);
}

async function begin() {
  setUpTheme();
  await learn();
  setUpReader();
  setUpShelf();
  setUpThreads();
  setUpWelcome();
  setUpComposer();
  setUpDrops();
  setUpModel();
  on("go", (channel) => go(channel).catch((failure) => trouble(failure.message)));
  by("older").addEventListener("click", () => older().catch((failure) => trouble(failure.message)));
  by("keys").addEventListener("click", showKeys);
  addEventListener("keydown", keys);
  const [channel, thread = ""] = decodeURIComponent(location.hash.slice(1)).split("/");
  await go(channel, { thread });
  listenWhileSeen(anew);
  addEventListener("hashchange", () => {
    const [to, there = ""] = decodeURIComponent(location.hash.slice(1)).split("/");
    if (to !== state.channel) go(to, { thread: there });
    else if (there) by(`t-${there}`)?.scrollIntoView();
  });
  document.documentElement.dataset.ready = "yes";
}

begin().catch((failure) => trouble(failure.message));
