import type { ChangeAction, ChangeSource, FieldChange } from '@plimsoll/contract/rules/changes';

/** Times are epoch milliseconds. */

/** An entry that is to be stored. */
export interface ChangeDraft {
  at: number;
  source: ChangeSource;
  action: ChangeAction;
  clusterKey: number | null;
  serverKey: number | null;
  kind: string;
  namespace: string | null;
  name: string;
  title: string;
  fields: readonly FieldChange[];
  changedBy: string | null;
}
