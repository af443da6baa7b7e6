import { DAY_SECONDS, HOUR_SECONDS, MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import { createReader } from './words.ts';

/** The time that a question names, and which of its words say so. */
export interface Period {
  /** Length of a range that ends now; null: `from` and `to` are fixed moments. */
  minutes: number | null;
  /** Epoch seconds. */
  from: number;
  to: number;
  /** Places of the words in the question. */
  read: ReadonlySet<number>;
}

const WEEK = 7 * DAY_SECONDS;
/** Around a moment without an end. */
const AROUND = HOUR_SECONDS / 2;

const unitOf = createReader({
  minute: 'minute minutes min mins minuten',
  hour: 'hour hours h hr hrs stunde stunden',
  day: 'day days tag tage tagen d',
  week: 'week weeks woche wochen w',
  month: 'month months monat monate',
});
const SECONDS = {
  minute: MINUTE_SECONDS,
  hour: HOUR_SECONDS,
  day: DAY_SECONDS,
  week: WEEK,
  month: 30 * DAY_SECONDS,
} as const;
const dayOf = createReader({
  today: 'today heute',
  yesterday: 'yesterday gestern',
  tomorrow: 'tomorrow morgen',
  night: 'night overnight tonight nacht',
  morning: 'morning',
  afternoon: 'afternoon noon',
  evening: 'evening abend',
});
/** Hours of the parts of a day in UTC; the night begins on the evening before. */
const PARTS = { night: [-4, 6], morning: [6, 12], afternoon: [12, 18], evening: [18, 24] } as const;
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const MONTHS = 'january february march april may june july august september october november december'.split(' ');
const isLast = (word: string): boolean => /^(?:last|past|previous|letzten?|letzter|vergangenen?)$/.test(word);

type Span = Pick<Period, 'minutes' | 'from' | 'to'>;
interface Found extends Span {
  read: number[];
}
const startOfDay = (now: number): number => now - (now % DAY_SECONDS);

/** "last 6 hours", "past day", "24h", "over 2 days"; "3 days ago" is that hour or day. */
function relative(words: readonly string[], now: number): Found | null {
  for (const [index, word] of words.entries()) {
    const short = /^(\d{1,5})(m|min|h|d|w)$/.exec(word);
    const unit = short === null ? unitOf(word) : unitOf(short[2] === 'm' ? 'min' : (short[2] ?? ''));
    if (unit === null) continue;
    const numberAt = short === null ? index - 1 : index;
    const number = Number(short === null ? words[numberAt] : short[1]);
    const isNumber = /^\d{1,5}$/.test(short === null ? (words[numberAt] ?? '') : (short[1] ?? ''));
    const before = words[(isNumber ? numberAt : index) - 1] ?? '';
    const read = isNumber ? [numberAt, index] : [index];
    const seconds = (isNumber ? number : 1) * SECONDS[unit];
    if (words[index + 1] === 'ago') {
      const isOne = isNumber || /^(?:an?|one)$/.test(before);
      if (!isOne) continue;
      const at = now - seconds;
      const isDay = SECONDS[unit] >= DAY_SECONDS;
      const from = isDay ? startOfDay(at) : at - AROUND;
      return { minutes: null, from, to: from + (isDay ? DAY_SECONDS : HOUR_SECONDS), read: [...read, index + 1] };
    }
    const isRange = isLast(before) || (isNumber && /^(?:over|for|within|since|the|seit)$/.test(before));
    if (isRange || (short !== null && before !== 'in')) {
      const at = isLast(before) ? [(isNumber ? numberAt : index) - 1, ...read] : read;
      return { minutes: seconds / MINUTE_SECONDS, from: now - seconds, to: now, read: at };
    }
    if (!isNumber && /^(?:this|diese[nrs]?)$/.test(before) && unit !== 'minute') {
      const monday = startOfDay(now) - ((new Date(now * 1000).getUTCDay() + 6) % 7) * DAY_SECONDS;
      const first = startOfDay(now) - (new Date(now * 1000).getUTCDate() - 1) * DAY_SECONDS;
      const from = { hour: now - (now % HOUR_SECONDS), day: startOfDay(now), week: monday, month: first }[unit];
      return { minutes: null, from, to: now, read: [index] };
    }
  }
  return null;
}

/** The day that a question names, with its hours. `part` keeps "last night" for the time behind it. */
interface Day extends Found {
  part: keyof typeof PARTS | null;
}
const theDay = (start: number, read: number[]): Day => ({
  minutes: null,
  from: start,
  to: start + DAY_SECONDS,
  read,
  part: null,
});

/** "today", "yesterday", "last night", "on Monday", "24 November", "2026-11-24". */
function day(words: readonly string[], now: number): Day | null {
  const today = startOfDay(now);
  for (const [index, word] of words.entries()) {
    const before = words[index - 1] ?? '';
    if (/^\d{4}-\d{2}-\d{2}$/.test(word)) {
      const at = Date.parse(word) / 1000;
      if (Number.isFinite(at)) return theDay(at, [index]);
    }
    const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(word);
    if (german !== null)
      return theDay(Date.UTC(Number(german[3]), Number(german[2]) - 1, Number(german[1])) / 1000, [index]);
    const month = MONTHS.findIndex((name) => name === word || (word.length === 3 && name.startsWith(word)));
    const dateAt = [index - 1, ...(before === 'of' ? [index - 2] : []), index + 1].find((at) =>
      /^\d{1,2}(?:st|nd|rd|th)?$/.test(words[at] ?? ''),
    );
    if (month >= 0 && dateAt !== undefined) {
      const year = new Date(now * 1000).getUTCFullYear();
      const at = Date.UTC(year, month, Number.parseInt(words[dateAt] ?? '', 10)) / 1000;
      // A date without a year is the newest that is over or has begun.
      return theDay(at > now ? Date.UTC(year - 1, month, Number.parseInt(words[dateAt] ?? '', 10)) / 1000 : at, [
        dateAt,
        index,
      ]);
    }
    const weekday = WEEKDAYS.indexOf(word);
    if (weekday >= 0) {
      const ago = (new Date(now * 1000).getUTCDay() - weekday + 7) % 7;
      return theDay(
        today - (ago === 0 && isLast(before) ? 7 : ago) * DAY_SECONDS,
        isLast(before) ? [index - 1, index] : [index],
      );
    }
    const name = dayOf(word);
    if (name === null || name === 'tomorrow') continue;
    if (name === 'today' || name === 'yesterday') {
      const start = name === 'today' ? today : today - DAY_SECONDS;
      const part = dayOf(words[index + 1] ?? '');
      if (part === null || !(part in PARTS)) return theDay(start, [index]);
      return {
        ...partOf(part as keyof typeof PARTS, part === 'night' ? start + DAY_SECONDS : start, now),
        read: [index, index + 1],
      };
    }
    const isYesterdays = isLast(before) && name !== 'night';
    return {
      ...partOf(name, isYesterdays ? today - DAY_SECONDS : today, now),
      read: isLast(before) ? [index - 1, index] : [index],
    };
  }
  return null;
}
function partOf(part: keyof typeof PARTS, start: number, now: number): Day {
  const [first, last] = PARTS[part];
  // Before it begins, today's is yesterday's.
  const of = start + first * HOUR_SECONDS > now ? start - DAY_SECONDS : start;
  return { ...theDay(of, []), from: of + first * HOUR_SECONDS, to: of + last * HOUR_SECONDS, part };
}

interface Clock {
  seconds: number;
  half: string | null;
  read: number[];
}
/** "3", "3 am", "3pm", "14:00". */
function clockAt(words: readonly string[], index: number): Clock | null {
  const found = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/.exec(words[index] ?? '');
  if (found === null) return null;
  const next = words[index + 1] ?? '';
  const half = found[3] ?? (/^(?:am|pm)$/.test(next) ? next : null);
  const [hour, minute] = [Number(found[1]), Number(found[2] ?? 0)];
  if (hour > 24 || minute > 59 || (half !== null && (hour > 12 || hour === 0))) return null;
  const isUnit = unitOf(next) !== null || next === 'percent';
  if (isUnit) return null;
  const read = /^(?:am|pm|oclock|uhr|utc)$/.test(next) ? [index, index + 1] : [index];
  return { seconds: hourOf(hour, half) * HOUR_SECONDS + minute * MINUTE_SECONDS, half, read };
}
const hourOf = (hour: number, half: string | null): number =>
  half === null ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);

/** "at 3", "between 2 and 3 am", "from 10:00 to 12:00", "since 8am", on the day that the question names. */
function clock(words: readonly string[], named: Day | null, now: number): Found | null {
  for (const [index, word] of words.entries()) {
    if (!/^(?:at|um|around|between|from|since|seit|after)$/.test(word)) continue;
    const first = clockAt(words, index + 1);
    if (first === null) continue;
    const end = Math.max(...first.read) + 1;
    const second = /^(?:and|to|till|until|und|bis)$/.test(words[end] ?? '') ? clockAt(words, end + 1) : null;
    const isRange = /^(?:between|from)$/.test(word);
    if (isRange && second === null) continue;
    const isOpen = /^(?:since|seit|after)$/.test(word);
    // "between 2 and 3 pm" says "pm" of both.
    const shared =
      second?.half === 'pm' && first.half === null && first.seconds < 12 * HOUR_SECONDS ? 12 * HOUR_SECONDS : 0;
    const at = onDay(first.seconds + shared, named, now);
    const read = [
      ...first.read,
      ...(isRange ? (second?.read ?? []) : []),
      ...(named?.read ?? []),
      ...(isOpen ? [index] : []),
    ];
    if (isOpen) return { minutes: null, from: at, to: now, read };
    if (second === null || !isRange) return { minutes: null, from: at - AROUND, to: at + AROUND, read };
    const length = (second.seconds - first.seconds - shared + DAY_SECONDS) % DAY_SECONDS;
    return { minutes: null, from: at, to: at + length, read };
  }
  return null;
}
function onDay(seconds: number, named: Day | null, now: number): number {
  if (named === null) {
    const today = startOfDay(now) + seconds;
    return today > now ? today - DAY_SECONDS : today;
  }
  if (named.part === null) return named.from + seconds;
  // "last night at 11" is before midnight, "at 3" behind it.
  const evening = named.part === 'night' || named.part === 'evening';
  const midnight = named.part === 'night' ? named.to - PARTS.night[1] * HOUR_SECONDS : startOfDay(named.from);
  const late =
    evening && seconds >= 6 * HOUR_SECONDS && seconds < 12 * HOUR_SECONDS ? seconds + 12 * HOUR_SECONDS : seconds;
  return named.part === 'night' && late >= 12 * HOUR_SECONDS ? midnight - DAY_SECONDS + late : midnight + late;
}

/** Returns the time that a question names; null: none, or one that lies ahead. `now`: epoch seconds. */
export function periodOf(words: readonly string[], now: number): Period | null {
  const named = day(words, now);
  const found = clock(words, named, now) ?? (named === null ? relative(words, now) : sinceDay(words, named, now));
  if (found === null || found.from >= now) return null;
  const read = new Set(found.read);
  // "over the last 6 hours": none of these words is above anything.
  for (
    let at = Math.min(...read) - 1;
    /^(?:over|the|in|on|during|for|within|since|seit|from)$/.test(words[at] ?? '');
    at -= 1
  )
    read.add(at);
  return { minutes: found.minutes, from: found.from, to: Math.min(now, found.to), read };
}
/** "since Monday" goes on until now. */
function sinceDay(words: readonly string[], named: Day, now: number): Found {
  const before = Math.min(...named.read) - 1;
  return /^(?:since|seit)$/.test(words[before] ?? '') ? { ...named, to: now, read: [...named.read, before] } : named;
}
