/**
 * The service worker of the client (`web/worker.js`): it keeps the page, which is the same at all
 * addresses, so that the second visit needs no trip for the page.
 */

const soon = window.requestIdleCallback ?? setTimeout;

/** Let the browser keep the page for the next visit, as soon as there is nothing else to do. */
export function keepShell() {
  if (!navigator.serviceWorker) return; // a browser has none without TLS
  soon(() => {
    // Without it the client is only slower, so no message is needed.
    navigator.serviceWorker.register("/worker.js").catch((error) => console.info(String(error)));
  });
}

/**
 * Show or list notices alone: Chromium forgets a notice that is being shown while another call lists the notices. The
 * worker takes the same lock (`worker.js`).
 * @template T @param {() => Promise<T>} call
 */
export function callAlone(call) {
  return navigator.locks.request("cartulary.shown", call);
}
