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
import type { Storage } from '../storage.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { NOT_RECEIVED } from '../series/gaps.ts';
import { Figures } from './figures.ts';
import { shapeReport } from './shape/shape-report.ts';
import type { ExternalReadings } from './store.ts';
import { joined, sentBy } from './machine-facts.ts';
import { tellMachinesApart } from './tell-machines-apart.ts';
import { distinctName, sharedNameNote } from './shared-name.ts';
import { twoMachines } from './two-machines.ts';
import type { DueSource, KnownMachine, StoredReading } from './types.ts';

export interface ReportIntervalsDeps extends AcceptBatchDeps {
  externalReadings: ExternalReadings;
  agents: Pick<Agents, 'findExternal'>;
  storage: Pick<Storage, 'inTransaction'>;
  clock: Clock;
  reportIntervalSeconds: number;
  planLimits: PlanInForce;
}

/** Prometheus sends a sample up to 5 s after it, vmagent and OpenTelemetry within a second. */
const GRACE_MS = 10_000;
/** Sources of one turn under the lock: some kilobytes of readings and some milliseconds each. */
const SOURCES_AT_ONCE = 200;
/** Characters of figures of one turn: about 0.6 s. Whatever is beyond them waits for the next. */
const CHARACTERS_AT_ONCE = 32 * 2 ** 20;
const BUDGET_OF_REDACTION_BYTES = 64 * 1024;

/**
 * Why the readings of a source were dropped. `ambiguous`: several machines send as one, and these samples name none of
 * them. `failed`: the readings stay and are tried again.
 */
type Outcome = 'stored' | 'replayed' | 'empty' | 'rejected' | 'server_deleted' | 'plan_limit' | 'ambiguous' | 'failed';

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
      const due = await externalReadings.due({ ...ended, limit: SOURCES_AT_ONCE, characters: CHARACTERS_AT_ONCE });
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
  try {
    let machines = due.machines ?? firstMachine(due.readings);
    for (const readings of intervalsOf(due.readings)) {
      const told = tellMachinesApart(machines, readings);
      machines = told.machines;
      const [intervalAt = 0] = readings.map((reading) => reading.intervalAt);
      for (const machine of machines) {
        const own = told.parts.get(machine.key);
        if (own === undefined) continue;
        const { last } = machine;
        const interval = { intervalAt, ...joined(own) };
        // An interval that comes late has nothing to be compared with.
        const before = last !== null && last.intervalAt < intervalAt ? last : null;
        const note =
          twoMachines(due.source, interval.values, before?.values ?? []) ??
          sharedNameNote(due.source, machine, machines);
        const outcome = await reportInterval(deps, due, { interval, before, now, machine, machines, note });
        metrics.externalReports.inc({ outcome });
        if (before !== null || last === null) machine.last = { intervalAt, values: interval.values };
      }
      if (told.leftOut.length > 0) {
        metrics.externalReports.inc({ outcome: 'ambiguous' satisfies Outcome }, told.leftOut.length);
        log.warn(
          { source: due.source.name, requests: told.leftOut.length },
          'samples name none of the machines of a source',
        );
      }
    }
    await externalReadings.settle(
      due,
      due.readings.map(({ id }) => id),
      machines,
      now,
    );
    return true;
  } catch (error) {
    metrics.externalReports.inc({ outcome: 'failed' satisfies Outcome });
    log.error({ err: error, source: due.source.name }, 'making a report of external metrics failed, it is tried again');
    return false;
  }
}

/** Returns the one machine of a source whose last figures an earlier version stored. */
function firstMachine(readings: readonly StoredReading[]): KnownMachine[] {
  const last = readings.filter(({ isReported }) => isReported).at(-1);
  if (last === undefined) return [];
  const { apart, hostname, ids, addresses, bootedAt, to, isMixed } = sentBy([last]);
  const nothing = { apart: '', hostname: '', ids: [], addresses: [], bootedAt: null };
  const facts = isMixed ? nothing : { apart, hostname, ids, addresses, bootedAt };
  return [{ key: '', ...facts, formerBoot: null, seenAt: to, last: isMixed ? null : last }];
}

/** Returns the readings of each interval that is not reported, the oldest interval first. */
function intervalsOf(readings: readonly StoredReading[]): StoredReading[][] {
  const intervals = Map.groupBy(
    readings.filter(({ isReported }) => !isReported),
    ({ intervalAt }) => intervalAt,
  );
  return [...intervals.values()].toSorted(([a], [b]) => (a?.intervalAt ?? 0) - (b?.intervalAt ?? 0));
}

interface Interval {
  interval: Pick<StoredReading, 'intervalAt' | 'values' | 'growths'>;
  before: Pick<StoredReading, 'values'> | null;
  now: number;
  machine: KnownMachine;
  machines: readonly KnownMachine[];
  note: string | null;
}

async function reportInterval(deps: ReportIntervalsDeps, due: DueSource, at: Interval): Promise<Outcome> {
  const { interval, before, now, note } = at;
  const figures = new Figures(interval.values, before?.values ?? [], interval.growths);
  const shaped = shapeReport(figures, due.source, note);
  if (shaped === null) return 'empty';
  const { system } = shaped.parts;
  const hostname = distinctName(system?.hostname ?? due.source.name, at.machine, at.machines);
  const machine = machineOf(deps, due, { hostname, key: at.machine.key });
  const server = await serverOf(deps, machine, now);
  if (typeof server === 'string') return server;
  const seq = Math.floor(interval.intervalAt / (deps.reportIntervalSeconds * 1000));
  const sampleAt = figures.at / 1000;
  const raw = {
    ...shaped.parts,
    ...(system && { system: { ...system, hostname } }),
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

function machineOf(
  deps: ReportIntervalsDeps,
  { organisationId, source }: DueSource,
  { hostname, key }: { hostname: string; key: string },
): ExternalMachine {
  const { reportIntervalSeconds } = deps;
  // The first machine of a source has the server that the source had before there was another one.
  const identity = `external\t${source.agent}\t${source.identity}${key === '' ? '' : `\tmachine\t${key}`}`;
  return {
    organisationId,
    machineHash: hash('sha256', identity, 'buffer'),
    hostname,
    reportIntervalSeconds,
    // A seq counts intervals, so another length of them begins another stream.
    streamId: hash('sha256', `${identity}\t${String(reportIntervalSeconds)}`).slice(0, 32),
  };
}

async function serverOf(
  deps: ReportIntervalsDeps,
  machine: ExternalMachine,
  now: number,
): Promise<ExternalServer | 'server_deleted' | 'plan_limit'> {
  const found = await deps.agents.findExternal(machine);
  if (found.state === 'known') return found.server;
  if (found.state === 'server_deleted') return 'server_deleted';
  const { hostname, organisationId } = machine;
  const most = Math.min(
    EXTERNAL_METRICS_LIMITS.serversPerAccount,
    (deps.planLimits && PLANS[deps.planLimits].servers) ?? Infinity,
  );
  const added = await addServer(deps, machine, most, now);
  if (added === 'server_deleted') return added;
  if (added === 'plan_limit') {
    deps.log.warn({ organisationId, hostname, most }, 'a server of external metrics exceeds the limit of servers');
    return added;
  }
  deps.changes.publish(organisationId, { topic: 'servers', serverId: added.serverId });
  return added;
}

/** Adds a server unless the account has `most`. An agent may enrol at the same moment. */
const addServer = (
  { storage }: ReportIntervalsDeps,
  machine: ExternalMachine,
  most: number,
  now: number,
): Promise<ExternalServer | 'server_deleted' | 'plan_limit'> =>
  storage.inTransaction(async ({ agents, tenancy }) => {
    await tenancy.teams.lock(ownerOf(machine.organisationId));
    const found = await agents.findExternal(machine);
    if (found.state === 'server_deleted') return found.state;
    if (found.state === 'unknown' && found.servers >= most) return 'plan_limit';
    await agents.addExternal(machine, now);
    const added = await agents.findExternal(machine);
    if (added.state !== 'known') throw new CodedError('internal', 'a server that was added is not there');
    return added.server;
  });
