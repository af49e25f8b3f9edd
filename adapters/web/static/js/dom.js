// Elements from plain values. Words always go in as text, never as markup.

/** An element; attributes that are null or false are left out, functions become listeners. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") made.addEventListener(key, value);
    else if (key === "class") made.className = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export const by = (id) => document.getElementById(id);

/** A quiet button that looks like a word. */
export function quiet(label, press, attributes = {}) {
  return el("button", { type: "button", class: "quiet", click: press, ...attributes }, label);
}

/** An id that this browser makes, so that what is sent twice arrives once. */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `m-${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Say something to whoever listens instead of looking. */
export function announce(words) {
  const said = by("said");
  said.textContent = "";
  setTimeout(() => { said.textContent = words; }, 50);
}

let hiding = 0;
/** One sentence about what went wrong. */
export function trouble(words) {
  const box = by("trouble");
  box.textContent = words;
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => { box.hidden = true; }, 9000);
}

/** "1.4 MB" */
export function size(bytes) {
  return bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${bytes && Math.max(1, Math.round(bytes / 1e3))} kB`;
}

/** "1 table", "3 tables"; a line never ends between the two */
export const count = (number, what) => `${number}\u00a0${what}${number === 1 ? "" : "s"}`;

/** A place in a paper, such as "p. 7, § 2 Results", whose signs stay beside their numbers. */
export const tied = (place) => place.replace(/(§|\bpp?\.) /g, "$1\u00a0");

/** A text area that grows with what is written. */
export function growing(area) {
  const fit = () => { area.style.height = "auto"; area.style.height = `${area.scrollHeight + 2}px`; };
  area.addEventListener("input", fit);
  return fit;
}

/** Give a file to the reader to keep. */
export function save(name, data, mime) {
  const address = URL.createObjectURL(new Blob([data], { type: mime }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 5000);
}
