import type { Owner } from '../accounts/owner.ts';
import type { ActivityFilter, ActivityRecord } from './types.ts';
import type { Page } from '../page.ts';

/** Times are epoch milliseconds; values are in base units (bytes, seconds, per cent 0–100). */

export interface Activity {
  /** Lists rows, newest first. */
  list(owner: Owner, filter: ActivityFilter, page: Page): Promise<{ events: ActivityRecord[]; total: number }>;
}
