import { DAY_MS, MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { statfs } from 'node:fs/promises';
import type { Owner } from '../tenancy/owner.ts';
import type { Clock } from '../clock.ts';
import type { Outbox } from '../notify/store.ts';
import type { SampleOutbox, SetAside } from '../series/store.ts';
import { databaseGrowth, daysUntilFull } from './database-growth.ts';
import { findingsOf } from './findings.ts';
import { jobsOfAll } from './job-runs.ts';
import { isOutdated } from './outdated.ts';
import type { Installation } from './store.ts';
import type { JobRuns, RollupProgress } from './types.ts';

export const INGEST_WINDOW_MS = 5 * MINUTE_MS;
/** Each process writes its time once a minute. */
const RUNNING_MS = 3 * MINUTE_MS;

export interface InstallationDeps {
  installation: Installation;
  outbox: Pick<Outbox, 'backlog' | 'nextDueAt'>;
  setAside: Pick<SetAside, 'count'>;
  /** Null: no time-series store is set up. */
  samples: Pick<SampleOutbox, 'state'> | null;
  /** The runs of this process, newer than the stored ones. */
  jobHealth: { list(): JobRuns[] };
  clock: Clock;
  apiVersion: string;
  /** Started by this API. */
  isEmbedded: boolean;
}

/** Returns the free space for the embedded database, or why it is unknown. */
async function freeSpace(
  isEmbedded: boolean,
  folder: string | null,
): Promise<{ bytes: number | null; reason: string | null }> {
  if (!isEmbedded) return { bytes: null, reason: 'PostgreSQL does not report the free space of its filesystem.' };
  try {
    if (folder === null) throw new Error('no folder');
    const { bavail, bsize } = await statfs(folder);
    return { bytes: bavail * bsize, reason: null };
  } catch {
    return { bytes: null, reason: 'The API cannot read the filesystem of the database.' };
  }
}

/** Returns the time since the oldest closed bucket that is not rolled up closed; 0 if none waits. */
function behind({ bucketSeconds, completeTo }: RollupProgress, now: number): number | null {
  if (completeTo === null) return null;
  return Math.max(0, now - (completeTo + bucketSeconds * 1000)) / 1000;
}

/** Returns how far the samples are in the time-series store; null: none is set up. */
async function describeStore(samples: InstallationDeps['samples'], now: number) {
  if (samples === null) return null;
  const state = await samples.state();
  return { state, behindSeconds: state && Math.max(0, now - state.shippedTo) / 1000 };
}

/** Reads the health of the whole installation for its operator. */
export async function describeInstallation(deps: InstallationDeps, owner: Owner) {
  const { installation, outbox, setAside, samples, jobHealth, clock, apiVersion, isEmbedded } = deps;
  const now = clock.now();
  const [
    ingest,
    progress,
    bucketsSetAside,
    database,
    stored,
    backlog,
    dueAt,
    { channels, total },
    counted,
    seriesStore,
  ] = await Promise.all([
    installation.ingest(now, INGEST_WINDOW_MS),
    installation.rollups(),
    setAside.count(),
    installation.database(now),
    installation.replicas(now - DAY_MS),
    outbox.backlog(),
    outbox.nextDueAt(),
    installation.channels(owner),
    installation.agents(),
    describeStore(samples, now),
  ]);
  const replicas = stored.map((replica) => ({ ...replica, isRunning: now - replica.lastSeenAt <= RUNNING_MS }));
  const jobs = jobsOfAll([...replicas, { jobs: jobHealth.list(), isRunning: false }]);
  const rollups = progress.map((level) => ({ ...level, behindSeconds: behind(level, now) }));
  const growth = databaseGrowth(database.history);
  const free = await freeSpace(isEmbedded, database.folder);
  const full = daysUntilFull(growth, free);
  const agents = counted.map((each) => ({ ...each, isOutdated: isOutdated(each.version, apiVersion) }));
  const oldestMessageAgeSeconds = backlog.oldestAt === null ? null : Math.max(0, now - backlog.oldestAt) / 1000;
  const overdueSeconds = dueAt === null ? 0 : Math.max(0, now - dueAt) / 1000;
  const findings = findingsOf({
    jobs,
    rollups,
    bucketsSetAside,
    storeBehindSeconds: seriesStore?.behindSeconds ?? null,
    freeBytes: free.bytes,
    daysUntilFull: full.days,
    overdueSeconds,
    channels,
    agents,
    versions: replicas.filter(({ isRunning }) => isRunning).map(({ version }) => version),
  });
  return {
    now,
    apiVersion,
    findings,
    ingest,
    rollups,
    bucketsSetAside,
    seriesStore,
    location: isEmbedded ? ('embedded' as const) : ('external' as const),
    database,
    growth,
    free,
    full,
    jobs,
    replicas,
    notifications: { waiting: backlog.waiting, oldestMessageAgeSeconds, overdueSeconds, channels, total },
    agents,
  };
}
export type DescribedInstallation = Awaited<ReturnType<typeof describeInstallation>>;
