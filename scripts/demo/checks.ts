import { majorityOf } from '@plimsoll/contract/rules/check-limits';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@plimsoll/contract/rules/durations';
import type { CheckResultPart, ProbeResult } from '@plimsoll/contract/wire/check-probes';
import { checkRequest } from '@plimsoll/contract/wire/checks/checks';
import { alertRuleRequest } from '@plimsoll/contract/wire/alert-rules';
import { createRule } from '../../api/src/alerts/rules/create-rule.ts';
import { draftOf } from '../../api/src/alerts/rules/rule-draft.ts';
import { createCheck } from '../../api/src/checks/create-check.ts';
import { nextRun } from '../../api/src/checks/rules/cron-schedule.ts';
import { advance, type FoldChange, freshMsOf, newFold } from '../../api/src/checks/rules/fold.ts';
import type { Check, PlaceResult } from '../../api/src/checks/types.ts';
import { hashToken } from '../../api/src/accounts/tokens.ts';
import type { Deps } from '../../api/src/deps.ts';
import { ownOrganisationOf, type PersonId } from '../../api/src/tenancy/ids.ts';
import { demoActor } from './demo-actor.ts';
import type { Machine } from './machines.ts';
import { OFFLINE_HOST, type Stories } from './stories.ts';
import { certificateOf, PROBES, resultAt, type DemoProbe } from './probes.ts';

/** A check that a machine of the demo runs. */
export interface DemoCheck {
  id: string;
  rev: number;
  resultAt: (at: number) => ProbeResult;
}

/** The part of a report with the results of the minute before it. */
export const checkResultsOf = ({ checks }: Pick<Machine, 'checks'>, at: number): CheckResultPart[] =>
  checks.map(({ id, rev, resultAt: of }) => ({
    ...of(at * 1000),
    check_id: id,
    check_rev: rev,
    age_seconds: 5,
  }));

/** The shop is slower than this for an hour of the evening. */
const SLOW_LINE_MS = 400;

interface Given {
  deps: Deps;
  personId: PersonId;
  machines: readonly Machine[];
  stories: Stories;
}

/** Creates the checks with their history: a day of results, and outages of two weeks. */
export async function createDemoChecks(given: Given): Promise<void> {
  const { deps, personId, machines, stories } = given;
  const organisationId = ownOrganisationOf(personId);
  const actor = demoActor(personId);
  const byName = new Map(machines.map((machine) => [machine.host.name, machine]));
  const now = stories.now * 1000;
  const rows = new Map<string, { place: number; at: number; results: PlaceResult[] }>();
  for (const one of PROBES) {
    const places = one.places.flatMap((name) => byName.get(name) ?? []);
    const server = one.server === undefined ? undefined : byName.get(one.server);
    const request = checkRequest.parse({
      name: one.name,
      probe: one.probe,
      retries: 0,
      places: { api: false, server_ids: places.map(({ serverId }) => serverId) },
      server_id: server?.serverId ?? null,
    });
    const { check } = await createCheck(deps, actor, request);
    for (const machine of places)
      machine.checks.push({
        id: check.id,
        rev: check.rev,
        resultAt: (at) => resultAt(one, machine.host.name, at, stories),
      });
    await fold(given, one, check, places, rows);
  }
  for (const { place, at, results } of rows.values())
    await deps.storage.checkResults.record(organisationId, place, at, results);
  await createHeartbeats(deps, actor, now);
  const slow = { metric: 'check_slow', target: 'all', lines: [{ level: 'warning', threshold: SLOW_LINE_MS }] };
  await createRule(deps, actor, draftOf(alertRuleRequest.parse(slow)));
}

/** Moments of the history: every five minutes of a day, and every minute of the last two hours. */
function momentsOf(now: number): number[] {
  const minutes = Array.from({ length: 1440 }, (_, index) => now - (1440 - index) * MINUTE_MS);
  return minutes.filter((at, index) => index % 5 === 0 || now - at <= 2 * HOUR_MS);
}

async function fold(
  { deps, stories }: Given,
  one: DemoProbe,
  check: Check,
  machines: readonly Machine[],
  rows: Map<string, { place: number; at: number; results: PlaceResult[] }>,
): Promise<void> {
  const now = stories.now * 1000;
  const events: Parameters<typeof advance>[2][number][] = [];
  for (const machine of machines) {
    const found = await deps.storage.agents.findByToken(hashToken(machine.token));
    if (found.state !== 'known') continue;
    const place = found.agent.serverKey;
    for (const at of momentsOf(now)) {
      // A machine that is down measures nothing.
      if (machine.host.name === OFFLINE_HOST && at >= stories.offlineSince * 1000) continue;
      const result = resultAt(one, machine.host.name, at, stories);
      const certificate = now - at <= 5 * MINUTE_MS ? certificateOf(one, stories) : null;
      const row = rows.get(`${String(place)} ${String(at)}`) ?? { place, at: at + 1000, results: [] };
      rows.set(`${String(place)} ${String(at)}`, row);
      row.results.push({ ...result, certificate, checkKey: check.key, rev: check.rev, at });
      events.push({
        place,
        at,
        ok: result.ok,
        reason: result.reason,
        status: result.status,
        phase: result.failed_phase,
      });
    }
  }
  const rule = {
    needed: majorityOf(machines.length),
    retries: 0,
    // The history has a result every five minutes.
    freshMs: Math.max(6 * MINUTE_MS, freshMsOf(check.intervalSeconds, 10_000)),
  };
  const day = now - DAY_MS;
  const older = [olderChange('up', check.createdAt + MINUTE_MS), ...olderOutages(check)];
  const before = {
    ...newFold(check.createdAt),
    status: 'up' as const,
    since: older.at(-1)?.at ?? check.createdAt,
    foldedTo: day - MINUTE_MS,
  };
  const { fold: after, changes } = advance(before, rule, events, now);
  // Its first look at the day has no votes yet.
  const real = changes.filter(({ at }) => at > day + 10 * MINUTE_MS);
  await deps.storage.checkResults.judge([
    { checkKey: check.key, version: 1, fold: { ...after, rev: check.rev }, changes: [...older, ...real] },
  ]);
}

const olderChange = (status: FoldChange['status'], at: number, httpStatus: number | null = null): FoldChange => ({
  status,
  at,
  reason: status === 'down' ? (httpStatus === null ? 'timeout' : 'status_unexpected') : null,
  httpStatus,
  phase: status === 'down' && httpStatus === null ? 'wait' : null,
  failed: status === 'down' ? 2 : 0,
  voted: 3,
});

/** A few short outages of the days before, at other times for each check. */
function olderOutages({ key, name, createdAt }: Check): FoldChange[] {
  if (name !== 'shop HTTPS' && name !== 'checkout API') return [];
  return [2, 5, 9].flatMap((days, index) => {
    const from = createdAt + days * DAY_MS + ((key * 7 + index * 5) % 20) * HOUR_MS;
    const minutes = [6, 3, 22][index] ?? 5;
    return [olderChange('down', from, index === 1 ? null : 503), olderChange('up', from + minutes * MINUTE_MS)];
  });
}

const NIGHTLY = { expression: '0 2 * * *', zone: 'Europe/Berlin' } as const;

/** One that missed its last run, and one that is called every hour. */
async function createHeartbeats(deps: Deps, actor: Parameters<typeof createCheck>[1], now: number): Promise<void> {
  const of = (name: string, schedule: object, grace: number) =>
    createCheck(deps, actor, checkRequest.parse({ name, heartbeat: { schedule, grace_seconds: grace } }));
  const { check: backup } = await of('nightly backup', { kind: 'cron', ...NIGHTLY }, 1800);
  const { check: sync } = await of('stock sync', { kind: 'interval', seconds: 3600 }, 600);
  let missed = nextRun(NIGHTLY.expression, NIGHTLY.zone, now - 2 * DAY_MS) ?? now;
  for (let next: number | null = missed; next !== null && next < now - HOUR_MS;) {
    missed = next;
    next = nextRun(NIGHTLY.expression, NIGHTLY.zone, next);
  }
  const good = missed - DAY_MS + 23 * MINUTE_MS;
  const calls = [
    { check: backup, at: good, durationMs: 23 * MINUTE_MS, output: 'snapshot 81f2c saved\n412 GB in 23 min\n' },
    { check: sync, at: now - 20 * MINUTE_MS, durationMs: 41_000, output: 'synced 1,204 items\n' },
  ];
  for (const { check, at, durationMs, output } of calls) {
    const lastCall = { at, kind: 'ok' as const, exitCode: 0, output };
    const heartbeat = { goodAt: at, lastCall, startedAt: null, durationMs };
    await deps.storage.checkResults.changeHeartbeat(check.key, ({ fold }) => ({ heartbeat, fold, changes: [] }));
    const fold = {
      ...newFold(check.createdAt),
      status: 'up' as const,
      since: check.createdAt + HOUR_MS,
      foldedTo: at,
      rev: check.rev,
    };
    const changes = [olderChange('up', check.createdAt + HOUR_MS)];
    await deps.storage.checkResults.judge([{ checkKey: check.key, version: 1, fold, changes }]);
  }
}
