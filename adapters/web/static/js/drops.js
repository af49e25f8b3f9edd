// Papers dropped anywhere on the page: sent two at a time, each with its own progress, refusals in words.

import { upload } from "./api.js";
import { by, newId, trouble } from "./dom.js";
import { keep, state } from "./state.js";
import { draw } from "./threads.js";

const AT_ONCE = 2;

/** Send files as one message of the channel that is shown. */
export async function share(dropped) {
  const channel = state.channel;
  for (const file of [...dropped].filter(isBibliography)) takeIn(channel, file);
  const files = [...dropped].filter((file) => !isBibliography(file));
  const id = newId();
  const rows = files.map((file, place) => ({ id: `${id}-${place}`, name: file.name, size: file.size, progress: 0, file }));
  if (!rows.length) return;
  state.uploads.set(id, rows);
  keep({ id, channel, thread: id, by: "reader", at: new Date().toISOString(), state: "working", revision: 0, kind: "",
    text: "", words: "", files: [], blocks: [], notes: [], buttons: [], attachments: [], footer: "", papers: [] });
  by(`t-${id}`)?.scrollIntoView({ block: "nearest" });
  const waiting = [...rows];
  const next = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) await send(channel, id, row);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
}

const isBibliography = (file) => /\.(bib|bibtex|ris|json)$/i.test(file.name);

/** A bibliography fills in what the papers here do not say of themselves. */
function takeIn(channel, file) {
  const id = newId();
  const path = `/api/channels/${encodeURIComponent(channel)}/bibliographies?message=${id}&file=${id}-0&name=${encodeURIComponent(file.name)}`;
  upload(path, file, () => {}).catch((failure) => trouble(`${file.name}: ${failure.message}`));
}

async function send(channel, id, row) {
  const { file } = row;
  delete row.file;
  if (state.limit && file.size > state.limit) {
    return refuse(id, row, `The file has ${Math.round(file.size / 1e6).toLocaleString()} MB; Footnote takes up to ${state.limit / 1e6} MB here.`);
  }
  const path = `/api/channels/${encodeURIComponent(channel)}/files?message=${id}&file=${row.id}&name=${encodeURIComponent(file.name)}`;
  try {
    await upload(path, file, (share_) => { row.progress = share_; redraw(id); });
    settle(id, row);
  } catch (failure) {
    if (failure.refused) settle(id, row); // the server keeps the line with its reason
    else refuse(id, row, failure.message);
    if (!failure.refused) trouble(failure.message);
  }
}

function refuse(id, row, words) {
  delete row.progress;
  Object.assign(row, { state: "refused", words });
  redraw(id);
}

function settle(id, row) {
  row.progress = 1;
  row.state = "waiting";
  redraw(id);
}

function redraw(id) {
  const message = state.messages.get(id);
  if (message) draw(message);
}

const carriesFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");

/** Wire the page once. */
export function setUpDrops() {
  const sign = by("drop-here");
  let inside = 0;
  addEventListener("dragenter", (event) => {
    if (!carriesFiles(event)) return;
    inside += 1;
    sign.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!carriesFiles(event)) return;
    inside -= 1;
    if (inside <= 0) sign.hidden = true;
  });
  addEventListener("dragover", (event) => { if (carriesFiles(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    inside = 0;
    sign.hidden = true;
    share(event.dataTransfer.files);
  });
  const pick = by("pick");
  pick.addEventListener("change", () => { share(pick.files); pick.value = ""; });
  pick.addEventListener("focus", () => by("composer").classList.add("pick-focus"));
  pick.addEventListener("blur", () => by("composer").classList.remove("pick-focus"));
  addEventListener("paste", (event) => { if (event.clipboardData?.files.length) share(event.clipboardData.files); });
}
