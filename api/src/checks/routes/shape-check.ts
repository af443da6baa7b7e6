import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { NO_VOTE_REASONS } from '@plimsoll/contract/rules/check-limits';
import type { CheckDetail, CheckListItem, CheckView, CheckVote } from '@plimsoll/contract/wire/checks/checks';
import { duration } from '../../alerts/duration.ts';
import { iso, isoOrNull } from '../../http/units.ts';
import type { Period } from '../../maintenance/types.ts';
import { shapeCreator } from '../../tenancy/creator.ts';
import { availabilityOf } from '../rules/availability.ts';
import { targetText } from '../rules/check-target.ts';
import { judge, type FoldRule, type PlaceVote } from '../rules/fold.ts';
import { dueAt } from '../rules/heartbeat-status.ts';
import type { RecentMinutes } from '../rules/recent-minutes.ts';
import type { CheckResults, PlaceName, ServedWorkload } from '../store.ts';
import { API_PLACE, type Check, type CheckState, type LatestResult, type Outage } from '../types.ts';

/** Times are epoch milliseconds. */

export interface CheckPicture {
  check: Check;
  state: CheckState;
  /** Keys of its places. */
  places: readonly number[];
  rule: FoldRule;
  latest: readonly LatestResult[];
}

const medianOf = (values: readonly number[]): number | null => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted.length === 0 ? null : (sorted[Math.floor(sorted.length / 2)] ?? null);
};

/** Returns the vote that decides what the page says: of the places that fail, the one that failed first. */
function decidingVote({ fold }: CheckState): PlaceVote | null {
  const failing = Object.values(fold.places).filter(({ failingSince }) => failingSince !== null);
  return failing.toSorted((a, b) => (a.failingSince ?? 0) - (b.failingSince ?? 0))[0] ?? null;
}

export function shapeView({ check, state, places, rule, latest }: CheckPicture, now: number): CheckView {
  const { fold, certificate, heartbeat } = state;
  const status = check.isEnabled ? fold.status : 'paused';
  const vote = status === 'down' ? decidingVote(state) : null;
  const due = check.heartbeat === null || heartbeat === null ? null : dueAt(check.heartbeat.schedule, heartbeat);
  const votedAt = Object.values(fold.places).map(({ at }) => at);
  const lastAt = Math.max(...latest.map(({ at }) => at), ...votedAt, heartbeat?.lastCall?.at ?? -Infinity);
  return {
    check_id: check.id,
    name: check.name,
    kind: check.kind,
    target: check.probe === null ? scheduleText(check) : targetText(check.probe),
    is_enabled: check.isEnabled,
    status,
    since: iso(fold.since),
    reason: status === 'down' ? (vote?.reason ?? fold.reason ?? null) : null,
    http_status: vote?.status ?? null,
    checked_at: Number.isFinite(lastAt) ? iso(lastAt) : null,
    total_ms: medianOf(latest.flatMap(({ ok, totalMs }) => (ok === true && totalMs !== null ? [totalMs] : []))),
    certificate_days: certificate === null ? null : Math.floor((certificate.ends_at * 1000 - now) / DAY_MS),
    interval_seconds: check.intervalSeconds,
    places: places.length,
    needed: rule.needed,
    server_id: check.serverId,
    due_at: isoOrNull(due),
  };
}

function scheduleText({ heartbeat }: Check): string {
  if (heartbeat === null) return '';
  const { schedule } = heartbeat;
  return schedule.kind === 'cron'
    ? `${schedule.expression} ${schedule.zone}`
    : `every ${duration(schedule.seconds * 1000)}`;
}

const BARS = 90;
export const shapeBars = (recent: RecentMinutes, checkKey: number, now: number): CheckListItem['bars'] =>
  recent
    .minutesOf(checkKey, Math.floor(now / 60_000), BARS)
    .map((isGood) => (isGood === null ? null : isGood ? 'up' : 'down'));

const VOTE_BARS = 48;
/** A check that runs rarely has longer bars. */
export const barSecondsOf = ({ intervalSeconds }: Check): number => Math.min(900, Math.max(60, intervalSeconds));
/** Returns the beginning of the first bar. */
export const firstBarAt = (check: Check, now: number): number => {
  const stepMs = barSecondsOf(check) * 1000;
  return (Math.floor(now / stepMs) - VOTE_BARS + 1) * stepMs;
};
type Stretches = Awaited<ReturnType<CheckResults['listStretches']>>;

function voteBars(check: Check, own: ReadonlyMap<number, boolean> | undefined, now: number): CheckVote['bars'] {
  const first = firstBarAt(check, now) / (barSecondsOf(check) * 1000);
  return Array.from({ length: VOTE_BARS }, (_, index) => {
    const isGood = own?.get(first + index);
    return isGood === undefined ? null : isGood ? 'up' : 'down';
  });
}

/** Returns the votes of the places, with the reason of each that has none. */
export function shapeVotes(
  { check, state, places, rule, latest }: CheckPicture,
  { names, stretches }: { names: ReadonlyMap<number, { name: PlaceName }>; stretches: Stretches },
  now: number,
): CheckVote[] {
  return places.map((place): CheckVote => {
    const known = state.fold.places[place];
    const last = latest.find(({ placeKey }) => placeKey === place);
    const own = known === undefined ? {} : { [place]: known };
    const voted = judge(own, { ...rule, needed: 1 }, now);
    const where = names.get(place)?.name;
    const noVote = known === undefined || voted.status === 'unknown';
    return {
      server_id: where?.serverId ?? null,
      name: place === API_PLACE ? 'Plimsoll' : (where?.name ?? 'a deleted server'),
      region: where?.region ?? null,
      vote: noVote ? 'none' : voted.status === 'down' ? 'down' : 'up',
      reason: noVote ? reasonOfSilence(check, known, last !== undefined) : (known.reason ?? null),
      voted_at: isoOrNull(known?.at ?? null),
      total_ms: last?.ok === true ? last.totalMs : null,
      bars: voteBars(check, stretches.get(place), now),
    };
  });
}

/** `silent`: its last vote is too old. `not_counted`: a result is there, and the next look at the check counts it. */
function reasonOfSilence({ isEnabled }: Check, known: PlaceVote | undefined, hasResult: boolean): string {
  if (!isEnabled) return 'paused';
  if (known === undefined && hasResult) return 'not_counted';
  // A vote about an earlier version of the check has no reason.
  if (known === undefined || (known.ok === null && known.reason === null)) return 'no_result';
  return known.reason !== null && NO_VOTE_REASONS.includes(known.reason) ? known.reason : 'silent';
}

const RANGES = [1, 30, 90] as const;
const DAYS = 90;

function shapeAvailability(
  check: Check,
  { outages, maintenance }: { outages: readonly Outage[]; maintenance: readonly Period[] },
  now: number,
): Pick<CheckDetail, 'availability' | 'days'> {
  const since = check.createdAt;
  const planned = maintenance.map(({ startsAt, endsAt }) => ({ from: startsAt, to: endsAt }));
  const sum = (from: number, to: number) => availabilityOf(outages, planned, { from, to, since });
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  return {
    availability: RANGES.map((days) => {
      const { percent, downMs, unknownMs, maintenanceMs } = sum(now - days * DAY_MS, now);
      return {
        days,
        percent,
        down_seconds: downMs / 1000,
        unknown_seconds: unknownMs / 1000,
        maintenance_seconds: maintenanceMs / 1000,
      };
    }),
    days: Array.from({ length: DAYS }, (_, index) => {
      const from = today - (DAYS - 1 - index) * DAY_MS;
      const to = Math.min(now, from + DAY_MS);
      const { downMs, unknownMs, maintenanceMs } = sum(from, to);
      return {
        date: new Date(from).toISOString().slice(0, 10),
        down_seconds: downMs / 1000,
        unknown_seconds: unknownMs / 1000,
        maintenance_seconds: maintenanceMs / 1000,
        outages: outages.filter(({ kind, beganAt }) => kind === 'down' && beganAt >= from && beganAt < to).length,
        is_known: since < to,
      };
    }),
  };
}

const shapeOutage = (one: Outage): CheckDetail['outages'][number] => ({
  outage_id: one.id,
  kind: one.kind,
  began_at: iso(one.beganAt),
  ended_at: isoOrNull(one.endedAt),
  reason: one.reason,
  http_status: one.status,
  phase: one.phase,
  failed: one.failed,
  voted: one.voted,
});

export function shapeDetail(
  picture: CheckPicture,
  more: {
    outages: readonly Outage[];
    maintenance: readonly Period[];
    votes: CheckVote[];
    slowLineMs: number | null;
    workloads: readonly ServedWorkload[];
    people: ReadonlyMap<string, string>;
  },
  now: number,
): CheckDetail {
  const { check, state } = picture;
  const { certificate, heartbeat } = state;
  const call = heartbeat?.lastCall ?? null;
  const shownProbe =
    check.probe?.kind === 'http' ? { ...check.probe, headers: undefined, body: undefined } : check.probe;
  return {
    ...shapeView(picture, now),
    probe: shownProbe,
    header_names: [...check.headerNames],
    has_body: check.hasBody,
    heartbeat: check.heartbeat && {
      schedule: check.heartbeat.schedule,
      grace_seconds: check.heartbeat.graceSeconds,
    },
    runs_on: { api: check.places.api, server_ids: [...check.places.serverIds], tag: check.places.tag },
    shares_secrets: check.sharesSecrets,
    workloads: more.workloads.map(({ clusterId, namespace, kind, name }) => ({
      cluster_id: clusterId,
      namespace,
      kind,
      name,
    })),
    needed_setting: check.needed,
    retries: check.retries,
    votes: more.votes,
    bar_seconds: barSecondsOf(check),
    slow_line_ms: more.slowLineMs,
    certificate: certificate && { ...certificate, seen_at: iso(certificate.seenAt) },
    last_call: call && {
      at: iso(call.at),
      kind: call.kind,
      exit_code: call.exitCode,
      output: call.output,
      duration_seconds: heartbeat?.durationMs == null ? null : heartbeat.durationMs / 1000,
    },
    ...shapeAvailability(check, more, now),
    outages: more.outages.map(shapeOutage),
    created_by: shapeCreator(check.createdBy, more.people),
    created_at: iso(check.createdAt),
    updated_at: iso(check.updatedAt),
  };
}
