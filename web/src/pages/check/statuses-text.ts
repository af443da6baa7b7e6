import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';

type Statuses = [number, number][];

/** "200-299, 401". */
export const statusesText = (statuses: Readonly<Statuses>): string =>
  statuses.map(([from, to]) => (from === to ? String(from) : `${String(from)}-${String(to)}`)).join(', ');

/** Returns the inclusive ranges of "200-299, 401"; null for anything else. */
export function readStatuses(text: string): Statuses | null {
  const parts = text.split(',');
  if (parts.length > CHECK_LIMITS.statusRanges) return null;
  const ranges = parts.map((part): [number, number] | null => {
    const [, from, to = from] = /^([1-5]\d\d)(?:[-–]([1-5]\d\d))?$/.exec(part.replaceAll(' ', '')) ?? [];
    return from === undefined || Number(from) > Number(to) ? null : [Number(from), Number(to)];
  });
  return ranges.every((range) => range !== null) ? ranges : null;
}
