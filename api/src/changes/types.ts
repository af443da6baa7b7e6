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

export interface ChangeRecord {
  id: string;
  at: number;
  source: ChangeSource;
  action: ChangeAction;
  kind: string;
  namespace: string | null;
  name: string;
  title: string;
  changedBy: string | null;
  link: string | null;
  clusterId: string | null;
  clusterName: string | null;
  serverId: string | null;
  hostname: string | null;
  fields: FieldChange[];
}

/** The present state of an object of a cluster. */
export interface DescribedRecord {
  kind: string;
  namespace: string | null;
  name: string;
  fields: Record<string, string>;
  /** Names of the fields whose values stay in the cluster. */
  hidden: string[];
}

/** The place of a change. Each part that is given must match. */
export interface ChangePlace {
  serverId?: string;
  clusterId?: string;
  namespace?: string;
  kind?: string;
  name?: string;
}

export interface ChangeFilter extends ChangePlace {
  from?: number;
  to?: number;
  source?: ChangeSource;
  /** Words of the title or the name. */
  search?: string;
  /** Keys of the servers and clusters in the scope; left out: everything. */
  scope?: { servers: readonly number[]; clusters: readonly number[] };
}

/** A deploy mark that is to be stored. `organisationId` owns it where it has no other place. */
export interface MarkDraft {
  at: number;
  title: string;
  key: string | null;
  changedBy: string | null;
  link: string | null;
  fields: readonly FieldChange[];
  serverKey: number | null;
  clusterId: string | null;
  namespace: string | null;
  kind: string | null;
  name: string | null;
}
