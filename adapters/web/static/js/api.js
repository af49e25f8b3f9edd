// What is asked of the server. Every failure is an Error whose message a reader can use.

const GONE = "Footnote does not answer; is it still running? What you wrote is kept here.";

async function ask(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error(GONE);
  }
  let value = {};
  try { value = await response.json(); } catch { /* a page of a proxy, say */ }
  if (!response.ok) throw new Error(value.words || GONE);
  return value;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);

/** The address of a page's picture. */
export const pagePath = (channel, paper, page) =>
  `/api/channels/${encodeURIComponent(channel)}/papers/${encodeURIComponent(paper)}/pages/${page}`;

const pictures = new Map();
const KEPT = 24;

/** A page's picture as an address that an image can show; kept for a while, so that turning back costs nothing. */
export function picture(channel, paper, page) {
  const path = pagePath(channel, paper, page);
  if (!pictures.has(path)) {
    pictures.set(path, load(path).catch((failure) => { pictures.delete(path); throw failure; }));
    if (pictures.size > KEPT) {
      const [oldest, address] = pictures.entries().next().value;
      pictures.delete(oldest);
      address.then((one) => URL.revokeObjectURL(one), () => {});
    }
  }
  return pictures.get(path);
}

/** Let go of the pictures of a paper that was forgotten. */
export function dropPictures() {
  for (const address of pictures.values()) address.then((one) => URL.revokeObjectURL(one), () => {});
  pictures.clear();
}

async function load(path) {
  const response = await fetch(path).catch(() => { throw new Error(GONE); });
  if (!response.ok) {
    const value = await response.json().catch(() => ({}));
    throw new Error(value.words || "This page could not be drawn.");
  }
  return URL.createObjectURL(await response.blob());
}

/** Send a file; `moved` is told the share that has arrived. */
export function upload(path, file, moved) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    request.open("PUT", path);
    request.upload.onprogress = (event) => { if (event.lengthComputable) moved(event.loaded / event.total); };
    request.onload = () => {
      if (request.status < 300) return done();
      let words = "";
      try { words = JSON.parse(request.responseText).words; } catch { /* no words came */ }
      failed(Object.assign(new Error(words || GONE), { refused: request.status < 500 }));
    };
    request.onerror = () => failed(new Error(GONE));
    request.send(file);
  });
}
