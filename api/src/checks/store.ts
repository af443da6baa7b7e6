import type { Owner } from '../tenancy/owner.ts';
import type { OrganisationId, PersonId } from '../tenancy/ids.ts';
import type { CheckFold, FoldChange } from './rules/fold.ts';
import type { RecentMinutes } from './rules/recent-minutes.ts';
import type { Check, CheckDraft, CheckState, HeartbeatState, Outage, PlaceResult, RollupLevel } from './types.ts';

/** Times are epoch milliseconds. */

export interface SavedDraft {
  draft: CheckDraft;
  /** Sealed with the id of the check; null: there are none. */
  sealedSecrets: Buffer | null;
  headerNames: readonly string[];
  hasBody: boolean;
}

export interface Checks {
  /** Ordered by name. */
  list(owner: Owner): Promise<Check[]>;
  count(owner: Owner): Promise<number>;
  /** In the order of the keys. */
  listByKeys(owner: Owner, keys: readonly number[]): Promise<Check[]>;
  /** Null: the owner has no such check. */
  get(owner: Owner, id: string): Promise<Check | null>;
  create(
    owner: Owner,
    saved: SavedDraft,
    made: { id: string; createdBy: PersonId | null; keyHash: Buffer | null },
    now: number,
  ): Promise<Check>;
  /** Raises the revision. Null: the owner has no such check. */
  update(owner: Owner, id: string, saved: SavedDraft, now: number): Promise<Check | null>;
  delete(owner: Owner, id: string): Promise<boolean>;
  /** The collectors of the organisation fetch their list. */
  bumpConfig(owner: Owner): Promise<void>;
  /** Number of the configuration of an organisation; 0: it never had a check. */
  configRev(organisationId: OrganisationId): Promise<number>;
  /** Ids of the servers that are nodes with this name or this internal address, in lower case. */
  nodesAt(owner: Owner, host: string): Promise<string[]>;
  /** Enabled probes that a server runs, by its id and its tags. */
  ofServer(organisationId: OrganisationId, serverId: string): Promise<Check[]>;
}

/** A workload that serves what a check measures. */
export interface ServedWorkload {
  clusterKey: number;
  clusterId: string;
  namespace: string;
  kind: string;
  name: string;
}
export interface CheckWorkloads {
  /**
   * Finds the workloads behind the targets of checks, by check: through the name of a Service, its port on a node, or the
   * host of an Ingress. A target that leads into two clusters has none.
   */
  of(
    organisationId: OrganisationId,
    checks: readonly Pick<Check, 'id' | 'probe'>[],
  ): Promise<ReadonlyMap<string, readonly ServedWorkload[]>>;
}

/** A place as the votes name it. */
export interface PlaceName {
  key: number;
  serverId: string;
  name: string;
  region: string | null;
  tags: Readonly<Record<string, string>>;
}

export interface BucketRow {
  at: number;
  results: number;
  good: number;
  dns: number | null;
  connect: number | null;
  tls: number | null;
  wait: number | null;
  transfer: number | null;
  total: number | null;
  p95: number | null;
  max: number | null;
}

/** 5-minute buckets are kept for 90 days, hourly ones for a year. */
export interface CheckRollups {
  /** Rolls up what closed or arrived late since the last run. Returns the rows; null: another replica is at it. */
  advance(now: number): Promise<number | null>;
  /** `stepMs` is a multiple of the level's bucket. */
  listBuckets(
    level: RollupLevel,
    checkKey: number,
    range: { from: number; to: number; stepMs: number },
  ): Promise<BucketRow[]>;
}

export type StatusCounts = Record<'up' | 'down' | 'unknown' | 'paused', number>;

/** Outcome of one look at a check. */
export interface Judged {
  checkKey: number;
  version: number;
  fold: CheckFold;
  changes: readonly FoldChange[];
}

/** The state of a heartbeat after a call. */
interface HeartbeatChange extends Pick<Judged, 'fold' | 'changes'> {
  heartbeat: HeartbeatState;
}

export interface CheckResults {
  /** Enabled checks of every organisation. */
  listEnabled(): Promise<Check[]>;
  /** Enabled checks that the API runs. */
  listOfApi(): Promise<Check[]>;
  /** Writes one row of the place. The certificates replace those of their checks. False: a row of that moment is there. */
  record(
    organisationId: OrganisationId,
    placeKey: number,
    at: number,
    results: readonly PlaceResult[],
  ): Promise<boolean>;
  /** Results of every place since a moment, by check. */
  listSince(from: number): Promise<Map<number, (PlaceResult & { place: number })[]>>;
  /** When each server reported last, by key; only servers that some check names. Null: of every organisation. */
  listPlaces(
    organisationId: OrganisationId | null,
  ): Promise<Map<number, { seenAt: number; name: PlaceName; organisationId: OrganisationId }>>;
  listStates(checkKeys: readonly number[]): Promise<Map<number, CheckState>>;
  /** Returns the checks whose changes were saved; of any other another run came first. */
  judge(all: readonly Judged[]): Promise<ReadonlySet<number>>;
  /** Claims the time up to `now` for this replica; returns its beginning. Null: another one has it. */
  claimTick(now: number, mostSeconds: number): Promise<number | null>;
  /**
   * Changes the state of a heartbeat and its outages in one transaction; of calls of one key at once none is lost, and
   * `change` may be called twice. Null changes nothing. Returns true if the status changed.
   */
  changeHeartbeat(checkKey: number, change: (state: CheckState) => HeartbeatChange | null): Promise<boolean>;
  /** Null: no heartbeat has the key. */
  byHeartbeatKey(keyHash: Buffer): Promise<Check | null>;
  /** Outages that reach into the time since `from`, newest first. */
  listOutages(checkKey: number, from: number): Promise<Outage[]>;
  /** `places`: rows of others are not read. */
  listBuckets(
    checkKey: number,
    places: readonly number[],
    range: { from: number; to: number; stepMs: number },
  ): Promise<BucketRow[]>;
  /** The last 90 minutes of every check of an account. */
  recent(owner: Owner, now: number): Promise<RecentMinutes>;
  /** Returns if a check was good at each place, by key of the place and number of the stretch; an absent one has no result. */
  listStretches(
    checkKey: number,
    places: readonly number[],
    range: { from: number; stepMs: number },
  ): Promise<Map<number, Map<number, boolean>>>;
  /** Checks of an account from bad to good, then by name, and how many have each status. */
  listRanked(owner: Owner, page: { limit: number; offset: number }): Promise<{ keys: number[]; counts: StatusCounts }>;
  /** Since when each of these checks is slow; null: it is not. */
  saveSlow(slow: ReadonlyMap<number, number | null>): Promise<void>;
  /** p95 of the response time since a moment, by check. */
  listSlowness(from: number): Promise<Map<number, number>>;
}
