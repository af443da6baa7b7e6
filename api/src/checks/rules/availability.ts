/** Share of time in which a check was up, from its exact outages. Times are epoch milliseconds. */

interface Stretch {
  from: number;
  to: number;
}
export interface OutageStretch {
  kind: 'down' | 'unknown';
  beganAt: number;
  /** Null: it goes on. */
  endedAt: number | null;
}
export interface Availability {
  goodMs: number;
  downMs: number;
  /** Not counted as good, and not as down. */
  unknownMs: number;
  /** Planned, and counted as neither. */
  maintenanceMs: number;
  /** good ÷ (good + down) in per cent; null: nothing is known. */
  percent: number | null;
}

const within = ({ from, to }: Stretch, range: Stretch): Stretch => ({
  from: Math.max(from, range.from),
  to: Math.min(to, range.to),
});
const lengthOf = ({ from, to }: Stretch): number => Math.max(0, to - from);

/** Merges stretches that touch or overlap; ordered by time. */
function merged(stretches: readonly Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const one of stretches.filter((stretch) => lengthOf(stretch) > 0).toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && one.from <= last.to) last.to = Math.max(last.to, one.to);
    else result.push({ ...one });
  }
  return result;
}

/** Returns the parts of `one` outside of `holes`, which are merged. */
function without(one: Stretch, holes: readonly Stretch[]): number {
  return lengthOf(one) - holes.reduce((sum, hole) => sum + lengthOf(within(hole, one)), 0);
}

/** `since`: the check exists from then on, and nothing counts before. */
export function availabilityOf(
  outages: readonly OutageStretch[],
  maintenance: readonly Stretch[],
  range: Stretch & { since: number },
): Availability {
  const counted = { from: Math.max(range.from, range.since), to: range.to };
  const holes = merged(maintenance.map((one) => within(one, counted)));
  const sums = { down: 0, unknown: 0 };
  for (const { kind, beganAt, endedAt } of outages) {
    const one = within({ from: beganAt, to: endedAt ?? Infinity }, counted);
    if (lengthOf(one) > 0) sums[kind] += without(one, holes);
  }
  const maintenanceMs = holes.reduce((sum, hole) => sum + lengthOf(hole), 0);
  const goodMs = Math.max(0, lengthOf(counted) - maintenanceMs - sums.down - sums.unknown);
  const known = goodMs + sums.down;
  return {
    goodMs,
    downMs: sums.down,
    unknownMs: sums.unknown,
    maintenanceMs,
    percent: known === 0 ? null : (goodMs / known) * 100,
  };
}
