import type { ChangesAnswer } from '@plimsoll/contract/wire/changes';
import type { Asking } from '../feedback/feed-panel.tsx';

/** The query of a list of changes, which the page makes. */
export interface AskingChanges extends Asking {
  data?: ChangesAnswer | undefined;
  dataUpdatedAt: number;
}
