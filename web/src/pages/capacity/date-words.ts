import { day } from '../../time/zone.ts';

/** Dates of the API are days in UTC; noon lies in the same day in most zones. */
export const dateWords = (date: string | null): string => {
  const ms = date === null ? Number.NaN : Date.parse(`${date}T12:00:00Z`);
  return Number.isFinite(ms) ? day(ms) : (date ?? '');
};
