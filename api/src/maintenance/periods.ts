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
    const startsAt = nextRun(expression, zone, from);
    if (startsAt === null || startsAt > to) break;
    if (lastDay !== null && dayIn(zone, startsAt) > lastDay) break;
    periods.push({ startsAt, endsAt: startsAt + durationSeconds * 1000 });
    from = startsAt;
  }
  return periods;
}

/** Starts that are compared with the duration. */
const COMPARED = 20;
const HOUR_MS = 3_600_000;
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
