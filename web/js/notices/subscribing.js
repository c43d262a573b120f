/**
 * This browser at its push service: it subscribes when notices are wanted here, and ends that when they are not. What
 * the service worker needs while no page is open lies in a cache of its own, only as long as notices are wanted.
 */

import { notifies } from "../inbox/notices.js";
import { Problem } from "../platform/api.js";
import { language, t } from "../platform/i18n.js";
import { me } from "../platform/identity.js";
import { deviceName } from "../settings/signing_in.js";
import { noticeCalls } from "./calls.js";

const CACHE = "cartulary.notices"; // as in `web/worker.js`
const WISHES = "/notices";
const IN_TIME = 15_000; // ms for the push service of the browser

/**
 * `on`: messages come while no page is open; `off`: not wanted here; `open_only`: this browser or this service has no
 * push messages; `unreached`: the push service of the browser does not answer.
 * @typedef {"on" | "off" | "open_only" | "unreached"} PushState
 */

function canPush() {
  return "PushManager" in window && "serviceWorker" in navigator;
}

/** The id of this browser in the list of the account, "" without. @returns {Promise<string>} */
export async function ownId() {
  const kept = await caches.match(WISHES, { cacheName: CACHE });
  return kept ? (await kept.json()).id : "";
}

/** @type {Promise<PushState>} */
let last = Promise.resolve("off");

/** Bring this browser to what is wanted here, after the attempt before. @returns {Promise<PushState>} */
export function keepSubscribed() {
  last = last.then(bring, bring);
  return last;
}

/** @returns {Promise<PushState>} */
async function bring() {
  if (!canPush()) return notifies() ? "open_only" : "off";
  if (!me() || !notifies()) {
    await endSubscription();
    return "off";
  }
  const worker = await navigator.serviceWorker.getRegistration();
  const key = worker?.active ? await findKey() : null;
  if (!worker || !key) return "open_only";
  const subscription = await subscribe(worker, key);
  if (!subscription) return "unreached";
  const label = deviceName();
  const { id } = await noticeCalls.addBrowser({ ...subscription.toJSON(), label });
  await leaveForWorker({ id, key, label });
  return "on";
}

/** The key of the service, null when it sends no push messages. */
async function findKey() {
  try {
    return (await noticeCalls.pushKey()).key;
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return null;
    throw error;
  }
}

/** @param {ServiceWorkerRegistration} worker @param {string} key @returns {Promise<PushSubscription | null>} */
async function subscribe({ pushManager }, key) {
  const wish = { userVisibleOnly: true, applicationServerKey: key };
  // Another key of the service is in the way of a new subscription.
  const before = await pushManager.getSubscription();
  const isOurs = encode(before?.options?.applicationServerKey) === key;
  if (before && !isOurs) await before.unsubscribe();
  try {
    return await Promise.race([pushManager.subscribe(wish), giveUp()]);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    console.info(String(error)); // the page of notices says it in words
    return null;
  }
}

/** A browser that does not reach its push service says nothing for minutes. @returns {Promise<null>} */
function giveUp() {
  return new Promise((resolve) => setTimeout(resolve, IN_TIME, null));
}

/** Bytes in base64url. @param {ArrayBuffer | null | undefined} bytes */
function encode(bytes) {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer(0))));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** @param {{id: string, key: string, label: string}} what */
async function leaveForWorker(what) {
  const wishes = { ...what, token: me()?.token, language: language(), fallback: t("ui.inbox.types.other") };
  await (await caches.open(CACHE)).put(WISHES, new Response(JSON.stringify(wishes)));
}

/** No more notices here: neither the service nor the push service nor the worker keeps anything of this browser. */
async function endSubscription() {
  const id = await ownId();
  const worker = await navigator.serviceWorker.getRegistration();
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
  await caches.delete(CACHE);
  if (id && me()) await forgetAtService(id);
}

/** @param {string} id */
async function forgetAtService(id) {
  try {
    await noticeCalls.removeBrowser(id);
  } catch (error) {
    if (!(error instanceof Problem)) throw error; // of another player, or removed from another device
  }
}
