/** Where the focus goes when a question comes. */

/** Where the focus is when nobody has put it anywhere else on purpose. */
const FREE = "body, #main, .panel, .panel *, .sheet.answers, .sheet.answers *, .board, .board *";

/**
 * Bring the focus to the question, so that the keyboard goes on there and a screen reader reads it.
 * Somebody who is writing, in a menu, or reads the comparison of the seats, stays there.
 * @param {HTMLElement} prompt with the question, which has the class `question` and can have the focus
 */
export function focusQuestion(prompt) {
  const { activeElement } = document;
  const question = /** @type {HTMLElement | null} */ (prompt.querySelector(".question"));
  if (!activeElement || activeElement.matches(FREE)) question?.focus({ preventScroll: true });
}
