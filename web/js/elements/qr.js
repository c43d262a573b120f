/** QR codes, which the service draws. */

/**
 * A QR code as an element that has the size of its place.
 * @param {string} picture as an SVG document @param {string} title
 */
export function qrCode(picture, title) {
  const drawn = document.importNode(new DOMParser().parseFromString(picture, "image/svg+xml").documentElement, true);
  const size = drawn.getAttribute("width");
  drawn.removeAttribute("width");
  drawn.removeAttribute("height");
  const attributes = { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title };
  for (const [name, value] of Object.entries(attributes)) drawn.setAttribute(name, value);
  return drawn;
}
