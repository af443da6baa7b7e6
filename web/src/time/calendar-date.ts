/** A date of the API ("2027-01-12") is a day of UTC and no moment: a zone must not move it to the day beside it. */
const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
const WHOLE = inUtc({ day: 'numeric', month: 'short', year: 'numeric' });
const SHORT = inUtc({ day: 'numeric', month: 'short' });

function written(date: string | null, format: Intl.DateTimeFormat): string {
  const ms = date === null ? Number.NaN : Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(ms) ? format.format(ms) : (date ?? '');
}

/** "12 Jan 2027"; a text that is no date stays, null is empty. */
export const dateWords = (date: string | null): string => written(date, WHOLE);
/** "12 Jan". */
export const shortDateWords = (date: string | null): string => written(date, SHORT);
