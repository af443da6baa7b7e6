import type { Owner } from '../tenancy/owner.ts';
import type { ActivityFilter, ActivityRecord } from './types.ts';
import type { Page } from '../page.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface Activity {
  /**
   * Lists rows, newest first, after the leading ones if the filter sets that. `folded` counts the starts and stops of
   * processes that the filter leaves out.
   */
  list(
    owner: Owner,
    filter: ActivityFilter,
    page: Page,
  ): Promise<{ events: ActivityRecord[]; total: number; folded: number }>;
}
