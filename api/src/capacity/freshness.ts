/** A plan is computed at most this often (ms). */
export const PLAN_EVERY_MS = 5 * 60_000;
/** A collector that is silent for longer says nothing of now (ms). */
export const SILENT_MS = 5 * 60_000;
