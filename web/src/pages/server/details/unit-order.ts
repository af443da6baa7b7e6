import type { UnitPart } from '@plimsoll/contract/report';

export const isFailed = ({ state }: UnitPart): boolean => state === 'failed';

const rank = (unit: UnitPart): number => (isFailed(unit) ? 0 : unit.state === 'active' ? 1 : 2);

/** What failed, then what runs, then the rest; the more often restarted first, then by name. */
export const byConcern = (a: UnitPart, b: UnitPart): number =>
  rank(a) - rank(b) || (b.restarts ?? 0) - (a.restarts ?? 0) || a.name.localeCompare(b.name);
