import type { HealthFinding } from '@plimsoll/contract/wire/installation-health';
import type { JobOfAll } from './job-runs.ts';
import type { ChannelHealth } from './types.ts';

/** A run takes up to 40 s and comes every 30 s. */
const ROLLUPS_BEHIND_SECONDS = 600;
/** Samples are sent two minutes after their report. */
const STORE_BEHIND_SECONDS = 600;
const DISK_FULL_DAYS = 14;
const DISK_FREE_BYTES = 2 ** 30;
/** A message is sent within seconds of its due time, unless its channel is busy. */
const OVERDUE_SECONDS = 300;

export interface Judged {
  jobs: readonly Pick<JobOfAll, 'replicasFailing'>[];
  rollups: readonly { behindSeconds: number | null }[];
  bucketsSetAside: ReadonlyMap<string, number>;
  /** Null: no store, or nothing was sent yet. */
  storeBehindSeconds: number | null;
  freeBytes: number | null;
  daysUntilFull: number | null;
  overdueSeconds: number;
  channels: readonly Pick<ChannelHealth, 'lastOutcome'>[];
  agents: readonly { isOutdated: boolean }[];
  /** Versions of the running replicas. */
  versions: readonly (string | null)[];
}

/** Returns what an operator should look at. An unknown figure is no finding. */
export function findingsOf(judged: Judged): HealthFinding[] {
  const { jobs, rollups, bucketsSetAside, freeBytes, daysUntilFull } = judged;
  const isSoonFull = (daysUntilFull ?? Infinity) < DISK_FULL_DAYS || (freeBytes ?? Infinity) < DISK_FREE_BYTES;
  const found: Record<HealthFinding, boolean> = {
    job_failing: jobs.some(({ replicasFailing }) => replicasFailing > 0),
    rollups_behind: rollups.some(({ behindSeconds }) => (behindSeconds ?? 0) > ROLLUPS_BEHIND_SECONDS),
    buckets_set_aside: bucketsSetAside.size > 0,
    series_store_behind: (judged.storeBehindSeconds ?? 0) > STORE_BEHIND_SECONDS,
    disk_full_soon: isSoonFull,
    messages_waiting: judged.overdueSeconds > OVERDUE_SECONDS,
    channel_failing: judged.channels.some(({ lastOutcome }) => lastOutcome !== null && lastOutcome !== 'delivered'),
    agents_outdated: judged.agents.some(({ isOutdated }) => isOutdated),
    replica_versions_differ: new Set(judged.versions).size > 1,
  };
  return (Object.keys(found) as HealthFinding[]).filter((finding) => found[finding]);
}
