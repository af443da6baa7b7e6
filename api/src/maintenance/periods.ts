import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import { cronProblem, nextRun } from '../checks/rules/cron-schedule.ts';
import type { MaintenanceSchedule, Period, Recurrence } from './types.ts';

/** Returns the schedule as five fields of crontab(5). */
function cronOf(schedule: MaintenanceSchedule): string {
  if (schedule.kind === 'cron') return schedule.expression;
  const [hour = 0, minute = 0] = schedule.time.split(':').map(Number);
  const at = `${String(minute)} ${String(hour)}`;
  // crontab counts Sunday as 0.
  if (schedule.kind === 'weekly') return `${at} * * ${schedule.weekdays.map((day) => day % 7).join(',')}`;
  return `${at} ${schedule.day === 'last' ? 'L' : String(schedule.day)} * *`;
}

const dayFormats = new Map<string, Intl.DateTimeFormat>();
/** Returns the day of a moment in a zone, as "2027-12-31". */
export function dayIn(zone: string, at: number): string {
  const format =
    dayFormats.get(zone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
  dayFormats.set(zone, format);
  return format.format(at);
}

const clockFormats = new Map<string, Intl.DateTimeFormat>();
/** Returns what a clock on the wall of a zone shows at a moment. */
function clockIn(zone: string, at: number): string {
  const format =
    clockFormats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  clockFormats.set(zone, format);
  return format.format(at);
}

/** Steps of daylight saving: an hour, and half an hour on Lord Howe Island. */
const CLOCK_STEPS_MS = [3_600_000, 1_800_000];
/** Returns the first of the moments at which the clock of the zone shows the same time, as it does when it is set back. */
function firstOfRepeated(zone: string, at: number): number {
  const shown = clockIn(zone, at);
  const step = CLOCK_STEPS_MS.find((ms) => clockIn(zone, at - ms) === shown) ?? 0;
  return at - step;
}

/**
 * Returns the periods that start after `after` and up to `to`, at most `most`. A start that daylight saving skips is as much
 * later; one that comes twice counts the first time. Each lasts exactly as long as the others.
 */
export function periodsOf(
  recurrence: Recurrence,
  { after, to }: { after: number; to: number },
  most: number,
): Period[] {
  const { schedule, zone, durationSeconds, lastDay } = recurrence;
  const expression = cronOf(schedule);
  const periods: Period[] = [];
  for (let from = after; periods.length < most;) {
    const next = nextRun(expression, zone, from);
    if (next === null) break;
    from = next;
    // The library finds the second of two times that are half an hour apart.
    const startsAt = firstOfRepeated(zone, next);
    if (startsAt > to) break;
    if (lastDay !== null && dayIn(zone, startsAt) > lastDay) break;
    if (startsAt > after) periods.push({ startsAt, endsAt: startsAt + durationSeconds * 1000 });
  }
  return periods;
}

/** Starts that are compared with the duration. */
const COMPARED = 20;
const YEAR_MS = 366 * 86_400_000;

/** Returns what is wrong with a recurrence, as `must …`; null: it can be used. */
export function recurrenceProblem(recurrence: Recurrence, now: number): { field: string; problem: string } | null {
  const { schedule, zone, durationSeconds } = recurrence;
  const problem = cronProblem(cronOf(schedule), zone);
  if (problem !== null)
    return { ...problem, field: problem.field === 'expression' ? 'schedule.expression' : problem.field };
  const next = periodsOf(recurrence, { after: now, to: now + 5 * YEAR_MS }, COMPARED);
  if (next.length === 0) return { field: 'last_day', problem: 'must leave at least one period' };
  // Daylight saving brings two starts of the same time nearer by an hour.
  const slackMs = durationSeconds > 23 * 3600 ? HOUR_MS : 0;
  const isLonger = next.some(({ endsAt }, index) => endsAt > (next[index + 1]?.startsAt ?? Infinity) + slackMs);
  return isLonger ? { field: 'duration_seconds', problem: 'must be shorter than the time between two starts' } : null;
}
