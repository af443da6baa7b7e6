import { DAY_MS } from '@plimsoll/contract/rules/durations';
import { STATUS_PAGE_DAYS, type PublicDayState } from '@plimsoll/contract/rules/checks/status-page-limits';
import type { PublicPart } from '@plimsoll/contract/wire/checks/public-status-page';
import { escapeText } from './escape-text.ts';
import { dayWords, lengthWords } from './time-words.ts';

/** Width of a day with the space behind it. */
const STEP = 4;
const WIDTH = STATUS_PAGE_DAYS * STEP;
/** The load line: good days end below it, bad ones cross it. */
const LINE_Y = 7;
const TOP_Y = 10;
const BOTTOM_Y = 20;
const HEIGHT = 31;
/** A label that lists more days is not listened to. */
const NAMED_DAYS = 5;

type Kind = PublicDayState | 'normal' | 'none';
type Days = Pick<PublicPart, 'since' | 'days'>;
interface Bar {
  kind: Kind;
  /** The day in words, if there is more to say than that it was good. */
  words: string | null;
}

const NONE: Bar = { kind: 'none', words: null };
const NORMAL: Bar = { kind: 'normal', words: null };

/** Days of a page, the same for all its parts. */
export interface Calendar {
  dates: readonly string[];
  now: string;
}

function wordsOf(day: PublicPart['days'][number], now: string): string {
  const parts = [
    ...(day.down_seconds > 0 ? [`down for ${lengthWords(day.down_seconds)}`] : []),
    ...(day.unknown_seconds > 0 ? [`not known for ${lengthWords(day.unknown_seconds)}`] : []),
  ];
  return `${dayWords(day.date, now)}: ${parts.join(', ')}`;
}

/** Returns the dates of the days that a page shows, today last. */
export function datesTo(now: string): string[] {
  const today = Math.floor(Date.parse(now) / DAY_MS) * DAY_MS;
  return Array.from({ length: STATUS_PAGE_DAYS }, (_, index) =>
    new Date(today - (STATUS_PAGE_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10),
  );
}

/** Returns a bar for each of the days to today, oldest first. */
function barsOf({ since, days }: Days, { dates, now }: Calendar): Bar[] {
  const byDate = new Map(days.map((day) => [day.date, day]));
  return dates.map((date) => {
    if (since === null || date < since) return NONE;
    const day = byDate.get(date);
    return day === undefined ? NORMAL : { kind: day.state ?? 'normal', words: wordsOf(day, now) };
  });
}

/** Returns a path with one dash a day, so that 90 good days cost a few bytes. Equal days beside each other are one line. */
function dashes(bars: readonly Bar[], kind: Kind, y: number): string {
  const lines: string[] = [];
  for (let index = 0; index < bars.length; index += 1) {
    if (bars[index]?.kind !== kind) continue;
    const from = index;
    while (bars[index + 1]?.kind === kind) index += 1;
    lines.push(`M${String(from * STEP)} ${String(y)}H${String((index + 1) * STEP - 1)}`);
  }
  return lines.length === 0 ? '' : `<path class="b-${kind}" d="${lines.join('')}"/>`;
}

const MARKS: Partial<Record<Kind, (x: number) => string>> = {
  down: (x) => `<path class="m-down" d="M${String(x)} 24l3.2 5.6h-6.4z"/>`,
  short: (x) => `<path class="m-short" d="M${String(x)} 23.6l3 3-3 3-3-3z"/>`,
};

/** Draws a day that is more than a dash, with its words for the pointer. */
function special({ kind, words }: Bar, index: number): string {
  if (words === null) return '';
  const x = index * STEP;
  const middle = Math.min(WIDTH - 4, Math.max(4, x + 1.5));
  // An area over the whole height, because three pixels are hard to point at.
  const area = `<rect class="hit" x="${String(x)}" width="3" height="${String(HEIGHT)}"/>`;
  return `<g><title>${escapeText(words)}</title>${area}${MARKS[kind]?.(middle) ?? ''}</g>`;
}

/** Returns the bars in words. */
function labelOf(name: string, { since, days }: Days, now: string): string {
  if (since === null) return `${name}: no data of the last ${String(STATUS_PAGE_DAYS)} days`;
  const told = days
    .filter(({ state }) => state !== null)
    .toReversed()
    .map((day) => wordsOf(day, now));
  const more = told.length > NAMED_DAYS ? [`${String(told.length - NAMED_DAYS)} more days`] : [];
  const listed = told.length === 0 ? ['every known day normal'] : [...told.slice(0, NAMED_DAYS), ...more];
  return `${name}, days since ${dayWords(since, now)}: ${listed.join('; ')}`;
}

/** Draws the days of a part: below the line normal, on it a short outage, above it a long one. */
export function dayBars(name: string, days: Days, calendar: Calendar): string {
  const { now } = calendar;
  const bars = barsOf(days, calendar);
  const middle = (TOP_Y + BOTTOM_Y) / 2;
  const shapes = [
    dashes(bars, 'none', BOTTOM_Y - 2),
    dashes(bars, 'unknown', BOTTOM_Y - 3),
    dashes(bars, 'normal', middle + 0.5),
    dashes(bars, 'short', (LINE_Y + BOTTOM_Y) / 2),
    dashes(bars, 'down', BOTTOM_Y / 2 + 0.5),
    `<path class="line" d="M0 ${String(LINE_Y)}H${String(WIDTH - 1)}"/>`,
    ...bars.map(special),
  ];
  const box = `0 0 ${String(WIDTH)} ${String(HEIGHT)}`;
  return `<svg class="bars" viewBox="${box}" role="img" aria-label="${escapeText(labelOf(name, days, now))}">${shapes.join('')}</svg>`;
}
