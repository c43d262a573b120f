/** What the storage or the engine of this device lacks, in words. */

import { note } from "../elements/announce.js";
import { t } from "../platform/i18n.js";
import { StorageTrouble } from "./base.js";
import { EngineFailed } from "./engine.js";

/** Say in words what the storage or the engine lacks. @param {() => Promise<any>} act */
export async function withWords(act) {
  try {
    await act();
  } catch (error) {
    if (error instanceof StorageTrouble) note(t(`ui.local.${error.kind}`), "trouble");
    else if (error instanceof EngineFailed) note(t("ui.local.broken"), "trouble");
    else throw error;
  }
}
