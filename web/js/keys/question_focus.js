/** Where the focus goes when a question comes. */

/** Where the focus is when the person has not put it anywhere else. */
const FREE = "body, #main, .panel, .panel *, .sheet.answers, .sheet.answers *, .board, .board *";

/**
 * Bring the focus to the question, so that the keyboard goes on there and a screen reader reads it.
 * It stays in a text field, in a menu, and in the comparison of the seats.
 * @param {HTMLElement} prompt with the question, which has the class `question` and can have the focus
 */
export function focusQuestion(prompt) {
  const { activeElement } = document;
  const question = /** @type {HTMLElement | null} */ (prompt.querySelector(".question"));
  if (!activeElement || activeElement.matches(FREE)) question?.focus({ preventScroll: true });
}
