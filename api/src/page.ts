/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface Page {
  limit: number;
  offset: number;
}
