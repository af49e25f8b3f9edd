// What a reader sends: words, presses of buttons, and the forms that come back of either.

import { post } from "./api.js";
import { openForm } from "./dialogs.js";
import { by, newId, trouble } from "./dom.js";
import { keep, state } from "./state.js";

/** Ask or command. `words` is the command where `text` says it in other words. True where it was taken. */
export async function say({ text, words = "", thread = "", papers = [] }) {
  try {
    const answer = await post(`/api/channels/${state.channel}/messages`, { id: newId(), text, words, thread, papers });
    if (answer.form) await fill(answer.form, thread);
    else {
      keep(answer);
      by(`t-${answer.thread}`)?.scrollIntoView({ block: thread ? "nearest" : "start" });
    }
    return true;
  } catch (failure) {
    trouble(failure.message);
    return false;
  }
}

/** Press a button of a reply; some open a form first. */
export async function press(message, button, opener) {
  try {
    opener?.setAttribute("disabled", "");
    const id = newId();
    const answer = await post(`/api/messages/${message.id}/press`, { id, action: button.action, value: button.value });
    if (answer.form) await fill(answer.form, message.thread);
  } catch (failure) {
    trouble(failure.message);
  } finally {
    opener?.removeAttribute("disabled");
  }
}

/** Show a form and send what was filled in. */
async function fill(form, thread) {
  const fields = await openForm(form);
  if (fields) {
    await post(`/api/channels/${state.channel}/forms`, { id: newId(), form: form.name, value: form.value, fields, thread });
  }
}
