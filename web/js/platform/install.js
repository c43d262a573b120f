/** The browser's offer to put the client on the home screen: kept until there is a reason to ask. */

/** @typedef {Event & {prompt: () => Promise<unknown>}} InstallOffer */

/** @type {InstallOffer | null} */
let offer = null;

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault(); // else the browser asks at once, before the person has played
  offer = /** @type {InstallOffer} */ (event);
});
addEventListener("appinstalled", () => {
  offer = null;
});

export function canInstall() {
  return offer !== null;
}

/** Let the browser ask; it allows that once. */
export async function install() {
  const asked = offer;
  offer = null;
  await asked?.prompt();
}
