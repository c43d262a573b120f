/**
 * What this browser keeps of games and puzzles: one base of IndexedDB. The browser may wipe it, or have no room:
 * both raise `StorageTrouble`.
 */

const BASE = "cartulary.local";
const VERSION = 2;

/** @typedef {"games" | "puzzles" | "attempts"} StoreName */

const STORES = /** @type {StoreName[]} */ (["games", "puzzles", "attempts"]);

export class StorageTrouble extends Error {
  /** @param {"full" | "unavailable"} kind @param {string} detail */
  constructor(kind, detail) {
    super(detail);
    this.kind = kind;
  }
}

/** @param {DOMException | null} error */
function troubleOf(error) {
  return new StorageTrouble(error?.name === "QuotaExceededError" ? "full" : "unavailable", String(error));
}

/** @returns {Promise<IDBDatabase>} */
function openBase() {
  return new Promise((resolve, reject) => {
    if (!globalThis.indexedDB) {
      reject(new StorageTrouble("unavailable", "no IndexedDB"));
      return;
    }
    const opening = indexedDB.open(BASE, VERSION);
    opening.onupgradeneeded = () => {
      const { result: base } = opening;
      for (const name of STORES)
        if (!base.objectStoreNames.contains(name)) base.createObjectStore(name, { keyPath: "id" });
    };
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(troubleOf(opening.error));
  });
}

/**
 * Do one thing in a transaction of its own; resolves when it is stored.
 * @template T @param {StoreName} name @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>} the result of the request
 */
export async function within(name, mode, act) {
  const base = await openBase();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = base.transaction(name, mode);
      const request = act(transaction.objectStore(name));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(troubleOf(transaction.error));
      transaction.onerror = () => reject(troubleOf(transaction.error));
    });
  } finally {
    base.close();
  }
}
