import { LOAD_LINES } from '@plimsoll/contract/rules/limits';

/** A server with the warning threshold of the rule that applies to its CPU; null: its CPU has no rule. */
interface Lined {
  id: string;
  cpuLine: number | null;
}

/**
 * Returns the line of a timeline: that of the server, or the one that most servers have, the lower of two. '' is all
 * servers. While they are not known it is the default.
 */
export function timelineLine(servers: readonly Lined[], serverId: string): number | null {
  const shown = serverId === '' ? servers : servers.filter(({ id }) => id === serverId);
  if (shown.length === 0) return LOAD_LINES.cpu.warning;
  const counts = [...Map.groupBy(shown, ({ cpuLine }) => cpuLine)].map(([line, { length }]) => ({ line, length }));
  return counts.toSorted((a, b) => b.length - a.length || (a.line ?? 101) - (b.line ?? 101))[0]?.line ?? null;
}
