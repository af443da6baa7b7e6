import { hash } from 'node:crypto';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { PLANS, type PlanInForce } from '../accounts/plans.ts';
import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import { acceptBatch, type AcceptBatchDeps } from '../reports/accept-report.ts';
import { judgeItem } from '../reports/judge-item.ts';
import { Redactor } from '../reports/redactor.ts';
import type { AcceptedItem } from '../reports/types.ts';
import type { Agents } from '../servers/store.ts';
import type { ExternalMachine, ExternalServer } from '../servers/types.ts';
import { NOT_RECEIVED } from '../series/gaps.ts';
import { Figures } from './figures.ts';
import { shapeReport } from './shape-report.ts';
import type { ExternalReadings } from './store.ts';
import type { DueSource, StoredReading } from './types.ts';

export interface ReportIntervalsDeps extends AcceptBatchDeps {
  externalReadings: ExternalReadings;
  agents: Pick<Agents, 'findExternal' | 'addExternal'>;
  clock: Clock;
  reportIntervalSeconds: number;
  planLimits: PlanInForce;
}

/** Prometheus sends a sample up to 5 s after it, vmagent and OpenTelemetry within a second. */
const GRACE_MS = 10_000;
/** Sources of one turn under the lock: some kilobytes of readings and some milliseconds each. */
const SOURCES_AT_ONCE = 200;
const BUDGET_OF_REDACTION_BYTES = 64 * 1024;

/** Why the readings of a source were dropped, or `failed`: they stay and are tried again. */
type Outcome = 'stored' | 'replayed' | 'empty' | 'rejected' | 'server_deleted' | 'plan_limit' | 'failed';

/**
 * Makes a report of each interval that has ended and hands it to the path of all reports. A crash in between is harmless:
 * the report is made again, and its sequence number shows that it is stored. Returns the number of sources.
 */
export async function reportIntervals(deps: ReportIntervalsDeps, now: number): Promise<number> {
  const { externalReadings, reportIntervalSeconds } = deps;
  const ended = { beganBefore: now - reportIntervalSeconds * 1000 - GRACE_MS, quietSince: now - GRACE_MS };
  let total = 0;
  // Most installations have no other agents: they look with one statement instead of five.
  if (!(await externalReadings.hasEnded(ended.beganBefore))) return 0;
  for (;;) {
    const done = await externalReadings.exclusively(async () => {
      const due = await externalReadings.due({ ...ended, limit: SOURCES_AT_ONCE });
      let reported = 0;
      for (const source of due) if (await reportSource(deps, source, now)) reported += 1;
      return { due: due.length, reported };
    });
    total += done?.reported ?? 0;
    // The next run repeats the failed ones.
    if (done === null || done.due < SOURCES_AT_ONCE || done.reported === 0) return total;
  }
}

/** Returns false if the source failed, which must not cost the others their reports. */
async function reportSource(deps: ReportIntervalsDeps, due: DueSource, now: number): Promise<boolean> {
  const { metrics, externalReadings, log } = deps;
  let last = due.readings.filter(({ isReported }) => isReported).at(-1) ?? null;
  const previous = last;
  try {
    for (const interval of intervalsOf(due.readings)) {
      // An interval that comes late has nothing to be compared with.
      const before = last !== null && last.intervalAt < interval.intervalAt ? last : null;
      const outcome = await reportInterval(deps, due, { interval, before, now });
      metrics.externalReports.inc({ outcome });
      if (before !== null || last === null) last = interval;
    }
    const ids = due.readings.map(({ id }) => id);
    await externalReadings.settle(due, ids, last ?? previous, now);
    return true;
  } catch (error) {
    metrics.externalReports.inc({ outcome: 'failed' satisfies Outcome });
    log.error({ err: error, source: due.source.name }, 'making a report of external metrics failed, it is tried again');
    return false;
  }
}

/** Joins the readings of each interval that is not reported, the oldest interval first. */
function intervalsOf(readings: readonly StoredReading[]): StoredReading[] {
  const intervals = new Map<number, StoredReading>();
  for (const reading of readings) {
    if (reading.isReported) continue;
    const known = intervals.get(reading.intervalAt);
    if (known === undefined) intervals.set(reading.intervalAt, { ...reading });
    else {
      known.values = [...known.values, ...reading.values];
      known.growths = [...known.growths, ...reading.growths];
    }
  }
  return [...intervals.values()].toSorted((a, b) => a.intervalAt - b.intervalAt);
}

interface Interval {
  interval: StoredReading;
  before: StoredReading | null;
  now: number;
}

async function reportInterval(deps: ReportIntervalsDeps, due: DueSource, at: Interval): Promise<Outcome> {
  const { interval, before, now } = at;
  const figures = new Figures(interval.values, before?.values ?? [], interval.growths);
  const shaped = shapeReport(figures, due.source);
  if (shaped === null) return 'empty';
  const hostname = shaped.parts.system?.hostname ?? due.source.name;
  const machine = machineOf(deps, due, hostname);
  const server = await serverOf(deps, machine, now);
  if (typeof server === 'string') return server;
  const seq = Math.floor(interval.intervalAt / (deps.reportIntervalSeconds * 1000));
  const sampleAt = figures.at / 1000;
  const raw = {
    ...shaped.parts,
    seq,
    ts: sampleAt,
    up: shaped.bootedAt === null ? 0 : Math.max(0, sampleAt - shaped.bootedAt),
    boot_id: shaped.bootedAt === null ? 'unknown' : bootIdOf(shaped.bootedAt),
    kind: 'host',
  };
  const arrival = { receivedAt: now, bootId: 'unknown', upNow: 0, skewSeconds: 0 };
  const verdict = judgeItem(raw, 0, arrival, new Redactor(BUDGET_OF_REDACTION_BYTES));
  if ('rejected' in verdict) {
    deps.metrics.reportsRejected.inc({ code: verdict.rejected.code });
    deps.log.warn({ source: due.source.name, ...verdict.rejected }, 'a report of external metrics was rejected');
    return 'rejected';
  }
  // The first report of an interval counts, also if another replica computed other means.
  const item: AcceptedItem = { ...verdict.accepted, contentHash: hash('sha256', `external ${String(seq)}`, 'buffer') };
  const { storedSeqs } = await acceptBatch(deps, batchOf(server, machine, item, now), []);
  return storedSeqs.length > 0 ? 'stored' : 'replayed';
}

/** The clock of a host may be adjusted, and its boot time moves by a second with it. */
const bootIdOf = (bootedAt: number): string => `boot-${String(Math.round(bootedAt / 60))}`;

function batchOf(server: ExternalServer, { streamId }: ExternalMachine, item: AcceptedItem, now: number) {
  const { lastSeq } = server;
  const isAfterHole = lastSeq > 0 && item.seq > lastSeq + 1;
  const hole = { from: lastSeq + 1, to: item.seq - 1, n: item.seq - 1 - lastSeq, why: NOT_RECEIVED };
  return {
    agent: server,
    streamId,
    bootId: item.bootId,
    receivedAt: now,
    items: [item],
    dropped: isAfterHole ? [hole] : [],
    rejected: [],
    clockSkewSeconds: null,
  };
}

function machineOf(deps: ReportIntervalsDeps, { accountId, source }: DueSource, hostname: string): ExternalMachine {
  const { reportIntervalSeconds } = deps;
  const identity = `external\t${source.agent}\t${source.identity}`;
  return {
    accountId,
    machineHash: hash('sha256', identity, 'buffer'),
    hostname,
    reportIntervalSeconds,
    // A seq counts intervals, so another length of them begins another stream.
    streamId: hash('sha256', `${identity}\t${String(reportIntervalSeconds)}`).slice(0, 32),
  };
}

async function serverOf(
  { agents, planLimits, changes, log }: ReportIntervalsDeps,
  machine: ExternalMachine,
  now: number,
): Promise<ExternalServer | 'server_deleted' | 'plan_limit'> {
  const found = await agents.findExternal(machine);
  if (found.state === 'known') return found.server;
  if (found.state === 'server_deleted') return 'server_deleted';
  const { hostname } = machine;
  const most = Math.min(
    EXTERNAL_METRICS_LIMITS.serversPerAccount,
    (planLimits && PLANS[planLimits].servers) ?? Infinity,
  );
  if (found.servers >= most) {
    log.warn(
      { accountId: machine.accountId, hostname, most },
      'a server of external metrics exceeds the limit of servers',
    );
    return 'plan_limit';
  }
  await agents.addExternal(machine, now);
  const added = await agents.findExternal(machine);
  if (added.state !== 'known') throw new CodedError('internal', 'a server that was added is not there');
  changes.publish(machine.accountId, { topic: 'servers', serverId: added.server.serverId });
  return added.server;
}
