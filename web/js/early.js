/** What is asked before anything else, even before the other modules are evaluated. */

import { askBefore } from "./api.js";

askBefore();
