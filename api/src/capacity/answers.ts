import { FINDINGS_FRESH_MS } from './findings.ts';
import { SILENT_MS } from './freshness.ts';
import type { Room, Trend, Verdict } from './types.ts';
import type { StoredFindings, StoredPlan } from './stored-plan.ts';

/** Rules of what an answer may say of a plan. */

type Head = Pick<StoredPlan, 'lastSeenAt' | 'computedAt'>;

/** Returns why a plan says nothing of now; null: it does. */
export function staleReason({ lastSeenAt, computedAt }: Head, now: number): string | null {
  if (now - lastSeenAt > SILENT_MS)
    return `The cluster collector has been silent for ${String(Math.floor((now - lastSeenAt) / 60_000))} minutes.`;
  if (computedAt === null) return 'No plan was computed yet. The first one takes up to a minute.';
  const minutes = Math.floor((now - computedAt) / 60_000);
  return now - computedAt > FINDINGS_FRESH_MS
    ? `The last plan is ${String(minutes)} minutes old. The API makes one every five minutes.`
    : null;
}

/** The node whose loss leaves most pods pending, and why nothing is known of a cluster. */
export function survivalOf(
  { findings, ...head }: StoredFindings,
  now: number,
): { worst: { node: string; pending: number } | null; reason: string | null } {
  const stale = staleReason(head, now);
  if (stale !== null) return { worst: null, reason: stale };
  if (findings === null || findings.nodeLoss.length === 0)
    return { worst: null, reason: findings?.unknown ?? 'Nothing is known of its nodes.' };
  const [worst] = findings.nodeLoss
    .flatMap(({ node, pending }) => (pending === null || pending === 0 ? [] : [{ node, pending }]))
    .toSorted((a, b) => b.pending - a.pending);
  if (worst !== undefined) return { worst, reason: null };
  const unknown = findings.nodeLoss.find(({ pending }) => pending === null);
  return { worst: null, reason: unknown === undefined ? null : `The loss of ${unknown.node} cannot be judged.` };
}

/** Orders clusters: first the one that a loss hits most, clusters without a figure last. */
export const byNeed = (
  a: { worst: { pending: number } | null; reason: string | null },
  b: { worst: { pending: number } | null; reason: string | null },
): number => rankOf(b) - rankOf(a);
const rankOf = ({ worst, reason }: { worst: { pending: number } | null; reason: string | null }): number =>
  worst?.pending ?? (reason === null ? 0 : 0.5);

/** Returns how many pods of a size without constraints fit into the rooms of the nodes. */
export function countInRooms(
  rooms: readonly Room[],
  { cpuCores, memoryBytes }: { cpuCores: number; memoryBytes: number },
): { more: number; firstLimit: string | null } {
  let more = 0;
  const limits = new Map<string, number>();
  for (const [cores, bytes, pods] of rooms) {
    // A hundred-thousandth of a core is what adding binary fractions may lose.
    const counts: [string, number][] = [
      ['number of pods', pods],
      ['CPU', cpuCores > 0 ? Math.floor((cores + 1e-5) / cpuCores) : Number.POSITIVE_INFINITY],
      ['memory', memoryBytes > 0 ? Math.floor(bytes / memoryBytes) : Number.POSITIVE_INFINITY],
    ];
    const [limit, least] = counts.reduce((a, b) => (b[1] < a[1] ? b : a));
    more += Math.max(0, least);
    limits.set(limit, (limits.get(limit) ?? 0) + 1);
  }
  const [first] = [...limits].toSorted((a, b) => b[1] - a[1]);
  return { more, firstLimit: first?.[0] ?? 'taints of the nodes' };
}

/** The trend that is due first; null: no resource has a date. */
export const nextDue = (trends: readonly Trend[]): Trend | null =>
  trends.filter(({ at }) => at !== null).toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0))[0] ?? null;

export const isTooSmall = ({ cpuVerdict, memoryVerdict }: { cpuVerdict: Verdict; memoryVerdict: Verdict }): boolean =>
  cpuVerdict === 'too_small' || memoryVerdict === 'too_small';
export const isTooLarge = (row: { cpuVerdict: Verdict; memoryVerdict: Verdict }): boolean =>
  !isTooSmall(row) && (row.cpuVerdict === 'too_large' || row.memoryVerdict === 'too_large');
