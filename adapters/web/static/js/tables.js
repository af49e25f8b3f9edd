// A table that can be sorted by any column and saved for a spreadsheet.

import { el, quiet, save } from "./dom.js";

const words = (cell) => cell.map((piece) => (piece.marker ? "" : piece.text)).join("").trim();
const full = (cell) => cell.map((piece) => (piece.marker ? ` [${piece.marker}]` : piece.text)).join("").trim();

/** A figure at the beginning of a cell, or NaN. */
function figure(text) {
  const found = /^[^\d+\-−.]*([+\-−]?\d[\d,\s]*\.?\d*)/.exec(text);
  return found && found.index === 0 && text.length < 40 ? Number(found[1].replace(/[,\s]/g, "").replace("−", "-")) : NaN;
}

const numeric = (rows, column) => {
  const told = rows.map((row) => words(row[column] ?? [])).filter(Boolean);
  return told.length > 0 && told.every((text) => /^[+\-−]?[\d.,\s]+\s?%?$/.test(text));
};

/** The element of a table block; `draw` makes the elements of a cell. */
export function table(block, draw, name) {
  const columns = block.header.map((_, column) => numeric(block.rows, column));
  const body = el("tbody");
  const fill = (rows) => body.replaceChildren(...rows.map((row) =>
    el("tr", {}, row.map((cell, column) => el("td", { class: columns[column] ? "number-cell" : null }, draw(cell))))));
  const heads = block.header.map((cell, column) => el("th", { scope: "col" },
    el("button", { type: "button", click: () => sort(column) }, words(cell) || el("span", { class: "hidden" }, `Column ${column + 1}`))));
  let sorted = { column: -1, down: false };

  function sort(column) {
    const down = sorted.column === column && !sorted.down;
    sorted = { column, down };
    const rows = [...block.rows].sort((one, other) => {
      const [a, b] = [words(one[column] ?? []), words(other[column] ?? [])];
      if (!a || !b) return a ? -1 : b ? 1 : 0; // what is not reported stays last
      const [x, y] = [figure(a), figure(b)];
      const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, undefined, { numeric: true }) : x - y;
      return down ? -order : order;
    });
    heads.forEach((head, place) => {
      if (place === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    fill(rows);
  }

  fill(block.rows);
  return el("div", { class: "table" },
    el("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "Table" },
      el("table", {}, el("thead", {}, el("tr", {}, heads)), body)),
    el("div", { class: "under" }, quiet("Download as CSV", () => save(`${name}.csv`, csv(block), "text/csv"))));
}

/** The table as CSV. A cell that a spreadsheet would take for a formula is kept as text. */
export function csv(block) {
  const cell = (list) => {
    const text = full(list);
    const safe = /^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\n;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = [block.header, ...block.rows].map((row) => row.map(cell).join(","));
  return `\ufeff${rows.join("\r\n")}\r\n`;
}
