/** The tree of a study: its nodes by number, and as a list of moves that can be chosen. */

import { h } from "../../elements/dom.js";
import { t } from "../../platform/i18n.js";

/**
 * @typedef {import("./study_marks.js").Mark} Mark
 * @typedef {{ask: string, right: Move[][], wrong?: {moves: Move[], text: string}[], otherwise?: string,
 *   hints?: string[]}} StudyQuestion
 * @typedef {object} TreeNode
 * @property {number} node
 * @property {number} parent 0: the start of a chapter
 * @property {number} chapter its number
 * @property {Move | null} move
 * @property {string[]} draws
 * @property {string} text
 * @property {Mark[]} marks
 * @property {StudyQuestion | null} question
 * @property {number[]} children the main one first
 * @typedef {{chapter: number, node: number, title: string, start: any, line: any[]}} StudyChapter
 */

/** @param {any} step @param {number} parent @param {number} chapter @returns {TreeNode} */
function nodeOf({ node, move = null, draws = [], text = "", marks = [], question = null }, parent, chapter) {
  return { node, parent, chapter, move, draws, text, marks, question, children: [] };
}

/** @param {any} document a study file @returns {Map<number, TreeNode>} */
export function readTree(document) {
  /** @type {Map<number, TreeNode>} */
  const nodes = new Map();
  const plant = (/** @type {any[]} */ line, /** @type {number} */ parent, /** @type {number} */ chapter) => {
    for (const step of line) {
      nodes.set(step.node, nodeOf(step, parent, chapter));
      nodes.get(parent)?.children.push(step.node);
      for (const branch of step.instead ?? []) plant(branch, parent, chapter);
      parent = step.node;
    }
  };
  for (const chapter of document.chapters) {
    nodes.set(chapter.node, nodeOf({ ...chapter, move: null }, 0, chapter.chapter));
    plant(chapter.line, chapter.node, chapter.chapter);
  }
  return nodes;
}

/**
 * The moves of a chapter as nested lists: the main line, and below a move those that might stand in its place.
 * @param {Map<number, TreeNode>} nodes @param {number} root @param {number} current
 * @param {(node: TreeNode) => string} name @param {(node: number) => void} choose
 */
export function drawTree(nodes, root, current, name, choose) {
  const entry = (/** @type {TreeNode} */ node) => {
    const words = node.move ? name(node) : t("ui.studies.start");
    const act = () => choose(node.node);
    const sign = node.question ? " ?" : node.text ? " ¶" : "";
    const made = h("button", { class: "plain", "data-key": `node-${node.node}`, onclick: act }, `${words}${sign}`);
    if (node.node === current) made.setAttribute("aria-current", "true");
    return made;
  };
  const line = (/** @type {number} */ from, /** @type {boolean} */ isFirst) => {
    const items = isFirst ? [h("li", {}, entry(/** @type {TreeNode} */ (nodes.get(from))))] : [];
    let at = nodes.get(from);
    while (at?.children.length) {
      const [main, ...others] = at.children;
      const branches = others.map((other) => line(other, true));
      items.push(h("li", {}, entry(/** @type {TreeNode} */ (nodes.get(main))), branches));
      at = nodes.get(main);
    }
    return h("ol", {}, items);
  };
  return line(root, true);
}
