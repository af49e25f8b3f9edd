// What this browser knows: channels, messages by channel, steps of running work. Views listen to its changes.

export const state = {
  channels: [],
  commands: [],
  samples: [],
  limit: 0,
  dpi: 150,
  channel: "",
  revision: 0,
  edition: "",         // which memory of the page this browser knows
  messages: new Map(), // id -> message, of the channel that is shown
  order: [],           // ids in the order of the conversation
  more: false,
  first: 0,
  steps: new Map(),    // message or file id -> step
  uploads: new Map(),  // message id -> files that are on their way
  papers: [],
  chosen: new Set(),   // papers that the next question is limited to
  news: new Set(),     // channels with something unseen
};

const listeners = new Map();

/** Call `heard` whenever `what` changes. */
export function on(what, heard) {
  if (!listeners.has(what)) listeners.set(what, []);
  listeners.get(what).push(heard);
}

/** Tell those who listen. */
export function tell(what, value) {
  for (const heard of listeners.get(what) ?? []) heard(value);
}

/** Take a message in; one that is older than what is known changes nothing. */
export function keep(message) {
  const before = state.messages.get(message.id);
  if (before && before.revision > message.revision) return;
  state.messages.set(message.id, message);
  if (!before) state.order.push(message.id);
  tell("message", message);
}

/** Messages of a thread in order. */
export const thread = (id) => state.order.map((one) => state.messages.get(one)).filter((one) => one.thread === id);

export const here = () => state.channels.find((one) => one.id === state.channel);
