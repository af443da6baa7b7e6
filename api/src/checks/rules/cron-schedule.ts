import { Cron } from 'croner';

/** Seconds field and names of croner that no crontab has are refused: a job's own schedule has five fields. */
const FIELDS = 5;
/** Longest expression; nothing in a crontab comes near it. */
const MOST_CHARACTERS = 100;

/** Returns what is wrong with an expression or a zone, as `must …`; null: both can be used. */
export function cronProblem(
  expression: string,
  zone: string,
): { field: 'expression' | 'zone'; problem: string } | null {
  if (!isZone(zone)) return { field: 'zone', problem: 'must be a time zone such as Europe/Berlin or UTC' };
  const isShort = expression.length <= MOST_CHARACTERS && expression.trim().split(/\s+/).length === FIELDS;
  const five = 'must have five fields: minute, hour, day of the month, month, day of the week, such as 30 2 * * *';
  if (!isShort) return { field: 'expression', problem: five };
  try {
    if (nextRun(expression, zone, 0) !== null) return null;
    return { field: 'expression', problem: 'must match some day: this one never does' };
  } catch {
    return { field: 'expression', problem: five };
  }
}

function isZone(zone: string): boolean {
  try {
    return zone !== '' && new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const isStar = (field: string): boolean => field.startsWith('*') || field === '?';

/**
 * Returns the first run after a moment, in milliseconds; null: there is none. A time that daylight saving skips runs when the
 * clocks have changed, and one that comes twice runs the first time. Throws for an expression that is none.
 */
export function nextRun(expression: string, zone: string, after: number): number | null {
  const fields = expression.trim().split(/\s+/);
  const [dayOfMonth, dayOfWeek] = [fields[2] ?? '', fields[4] ?? ''];
  // By crontab(5) one of two days is enough only if neither begins with a star: of */2 both must match.
  const domAndDow = isStar(dayOfMonth) || isStar(dayOfWeek);
  // Quartz writes ? for a day that the other field decides.
  const pattern = fields.map((field) => (field === '?' ? '*' : field)).join(' ');
  const cron = new Cron(pattern, { timezone: zone, paused: true, mode: '5-part', domAndDow });
  return cron.nextRun(new Date(after))?.getTime() ?? null;
}
