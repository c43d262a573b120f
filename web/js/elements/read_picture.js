/** Reads the text of a picture. */

const STYLE = /<style[^>]*>([^<]*)<\/style>/g;

/**
 * Return a picture without its size, and its rules: the policy of the page forbids a stylesheet even where the parser
 * sees it, so a shadow root adopts them.
 * @param {string} text SVG
 * @returns {{picture: SVGSVGElement, rules: string}}
 */
export function readPicture(text) {
  /** @type {string[]} */
  const rules = [];
  const bare = text.replace(STYLE, (_, css) => {
    rules.push(css);
    return "";
  });
  const picture = new DOMParser().parseFromString(bare, "image/svg+xml").documentElement;
  if (picture.nodeName !== "svg") throw new Error("the answer is not a picture");
  picture.removeAttribute("width");
  picture.removeAttribute("height");
  return { picture: /** @type {any} */ (picture), rules: rules.join("\n") };
}
