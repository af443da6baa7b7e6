import { optionalText, storedValue } from '../state/stored-value.ts';

/** The time zone the person chose; null is the browser's own. */
export const chosenZone = storedValue('plimsoll.zone', optionalText);

const zoneOption = (): Intl.DateTimeFormatOptions => {
  const zone = chosenZone.get();
  return zone === null ? {} : { timeZone: zone };
};

const made = new Map<string, Intl.DateTimeFormat>();

function formatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const full = { ...options, ...zoneOption() };
  const key = JSON.stringify(full);
  const known = made.get(key);
  if (known) return known;
  const fresh = new Intl.DateTimeFormat('en-GB', full);
  made.set(key, fresh);
  return fresh;
}

const say = (ms: number, options: Intl.DateTimeFormatOptions) =>
  Number.isFinite(ms) ? formatter(options).format(ms) : 'Unknown';

/** "21:08". */
export const clockTime = (ms: number) => say(ms, { hour: '2-digit', minute: '2-digit' });
/** "21:08:14". */
export const clockSeconds = (ms: number) => say(ms, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
/** "19 Nov 21:08". */
export const dayAndTime = (ms: number) =>
  say(ms, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' }).replace(',', '');
/** "14 Mar 2026". */
export const day = (ms: number) => say(ms, { day: 'numeric', month: 'short', year: 'numeric' });
/** "19 Nov". */
export const shortDay = (ms: number) => say(ms, { day: 'numeric', month: 'short' });
/** "19 Nov 2026, 21:08:14 UTC": what an age means, on hover. */
export const fullMoment = (ms: number) =>
  say(ms, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  });
/** "UTC", "CET" … at that moment. */
export const zoneName = (ms: number) =>
  formatter({ timeZoneName: 'short' })
    .formatToParts(ms)
    .find((part) => part.type === 'timeZoneName')?.value ?? '';
/** Seconds the zone is ahead of UTC at that moment. */
export function zoneOffsetSeconds(ms: number): number {
  const parts = formatter({
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(ms);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  return Math.round((local - Math.floor(ms / 60_000) * 60_000) / 1000);
}
