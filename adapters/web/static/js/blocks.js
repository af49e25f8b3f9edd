// The body of a reply: paragraphs, lists, quotes, tables, code, and the markers of its footnotes.

import { el, tied } from "./dom.js";
import { table } from "./tables.js";

/** Elements for `blocks`; `open(marker, button)` is called where a marker is pressed. */
export function blocks(message, open) {
  const made = [];
  let bullets = null;
  for (const block of message.blocks) {
    if (block.kind !== "bullet") bullets = null;
    switch (block.kind) {
      case "bullet":
        if (!bullets) made.push((bullets = el("ul", { class: "bullets" })));
        bullets.append(el("li", {}, pieces(block.pieces, message, open)));
        break;
      case "quote":
        made.push(el("blockquote", {}, pieces(block.pieces, message, open)));
        break;
      case "table":
        made.push(table(block, (cell) => pieces(cell, message, open), message.kind || "table"));
        break;
      case "code":
        made.push(el("pre", { tabindex: "0" }, el("code", {}, block.code)));
        break;
      default:
        made.push(el("p", {}, pieces(block.pieces, message, open)));
    }
  }
  return made;
}

/** Runs of text and groups of markers. */
export function pieces(list, message, open) {
  const made = [];
  let marks = null;
  for (const piece of list) {
    if (piece.marker) {
      if (!marks) {
        marks = el("sup", { class: "marks" });
        made.push(behindLastWord(made, marks));
      }
      marks.append(mark(piece.marker, message, open));
      continue;
    }
    marks = null;
    if (piece.style === "bold") made.push(el("strong", {}, piece.text));
    else if (piece.style === "code") made.push(el("code", {}, piece.text));
    else made.push(piece.text);
  }
  return made;
}

const LONGEST_KEPT = 24;

/** Markers stand right behind the last word and never begin a line. */
function behindLastWord(made, marks) {
  const last = made.at(-1);
  if (typeof last !== "string") return marks;
  const words = last.trimEnd();
  const cut = words.search(/\S+$/);
  if (cut < 0 || words.length - cut > LONGEST_KEPT) {
    made[made.length - 1] = words;
    return marks;
  }
  made[made.length - 1] = words.slice(0, cut);
  return el("span", { class: "whole" }, words.slice(cut), marks);
}

function mark(marker, message, open) {
  const note = message.notes.find((one) => one.marker === marker);
  const label = note ? `Footnote ${marker}: ${[note.title, note.place].filter(Boolean).join(", ")}` : `Footnote ${marker}`;
  return el(
    "button",
    { type: "button", "data-marker": String(marker), "aria-label": label, click: (event) => open(marker, event.currentTarget) },
    String(marker),
  );
}

/** The footnotes under a reply. */
export function notes(message, open) {
  if (!message.notes.length) return null;
  const rows = message.notes.map((note) =>
    el(
      "li",
      { "data-marker": String(note.marker) },
      el("span", { class: "number", "aria-hidden": "true" }, String(note.marker)),
      el(
        "button",
        { type: "button", class: "note", click: (event) => open(note.marker, event.currentTarget) },
        el("span", { class: "hidden" }, `Footnote ${note.marker}: `),
        note.title ? el("span", { class: "title" }, note.title) : null,
        note.place ? el("span", { class: "place" }, `${note.title ? ", " : ""}${tied(note.place)}`) : null,
        note.computed ? el("span", { class: "computed" }, `: ${note.computed} (from ${note.operands.join(", ")})`) : null,
        note.quotes.length ? el("span", { class: "quote" }, quoted(note)) : null,
      ),
    ),
  );
  return el("ol", { class: "notes", "aria-label": "Footnotes" }, rows);
}

/** The words of a footnote as one text. */
export const quoted = (note) => note.quotes.map((one) => `“${one.quote}”`).join(" … ");

/** A reply as plain text with its footnotes, for the clipboard. */
export function asText(message) {
  const line = (list) => list.map((piece) => (piece.marker ? `[${piece.marker}]` : piece.text)).join("");
  const body = message.blocks.map((block) => {
    if (block.kind === "table") return [block.header, ...block.rows].map((row) => row.map(line).join("\t")).join("\n");
    if (block.kind === "code") return block.code;
    return `${block.kind === "bullet" ? "• " : ""}${line(block.pieces)}`.trim();
  });
  const under = message.notes.map((note) =>
    `[${note.marker}] ${[note.title, note.byline, note.place].filter(Boolean).join(", ")}: ${note.computed || ""} ${quoted(note)}`.trim());
  return [...body, ...under].join("\n");
}
