import { duration } from '../alerts/duration.ts';
import type { MaintenanceSchedule, Recurrence } from './types.ts';

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function startText(schedule: MaintenanceSchedule): string {
  if (schedule.kind === 'cron') return `cron ${schedule.expression}`;
  if (schedule.kind === 'monthly')
    return `${schedule.day === 'last' ? 'last day of the month' : `day ${String(schedule.day)} of the month`} at ${schedule.time}`;
  const days = schedule.weekdays.toSorted((a, b) => a - b).flatMap((day) => WEEKDAYS[day - 1] ?? []);
  return `every ${days.length === WEEKDAYS.length ? 'day' : days.join(', ')} at ${schedule.time}`;
}

/** Returns a recurrence in words: "every Sunday at 02:00 Europe/Berlin, for 2 h, until 2027-12-31". */
export function recurrenceText({ schedule, zone, durationSeconds, lastDay }: Recurrence): string {
  const until = lastDay === null ? '' : `, until ${lastDay}`;
  return `${startText(schedule)} ${zone}, for ${duration(durationSeconds * 1000)}${until}`;
}
