/**
 * Keys that work wherever the focus is. No key does anything while a person types, together with
 * Ctrl, Alt or Meta, or while a window of its own (a `dialog`) is open; and a key that the focused
 * control needs itself (arrows of a list, Enter of a button) is left to it.
 */

/**
 * What keys do, by name: a letter in lower case, else the name of `KeyboardEvent.key`, with `Shift+`
 * before it where that key is down too. True: done, so the browser does nothing more.
 * @typedef {Record<string, () => boolean>} Keys
 */

/** The keys that go on while they are held: another key, held too long, would answer the next question as well. */
const HELD = /^(Arrow.*|[+-])$/;
const TYPED = "input:not([type=radio], [type=checkbox], [type=range]), textarea, select, [contenteditable]";
/** The keys that a control uses itself. */
const OWN = [
  { controls: "button, a[href], summary, [role=button], [type=checkbox]", keys: /^(Enter| )$/ },
  { controls: "[type=radio]", keys: /^(Arrow.*| )$/ },
  { controls: "[type=range], [role=slider]", keys: /^(Arrow.*|Home|End|Page.*)$/ },
];

/** @type {Keys[]} */
const bound = [];

/**
 * Let keys do something, before what was bound earlier.
 * @param {Keys} keys @returns {() => void} let them do nothing again
 */
export function bindKeys(keys) {
  bound.unshift(keys);
  return () => {
    bound.splice(bound.indexOf(keys), 1);
  };
}

/** @param {KeyboardEvent} event */
function isForOthers({ target, key, ctrlKey, altKey, metaKey, isComposing, defaultPrevented, repeat }) {
  if (defaultPrevented || isComposing || ctrlKey || altKey || metaKey) return true;
  if (repeat && !HELD.test(key)) return true;
  if (document.querySelector("dialog[open]")) return true;
  const at = /** @type {Element} */ (target);
  return at.matches(TYPED) || OWN.some(({ controls, keys }) => at.matches(controls) && keys.test(key));
}

/** @param {KeyboardEvent} event */
function nameOf({ key, shiftKey }) {
  if (key.length === 1) return key.toLowerCase();
  return shiftKey ? `Shift+${key}` : key;
}

document.addEventListener("keydown", (event) => {
  if (isForOthers(event)) return;
  const name = nameOf(event);
  if (bound.some((keys) => keys[name]?.())) event.preventDefault();
});
