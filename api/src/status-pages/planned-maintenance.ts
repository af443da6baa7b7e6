import type { Covered, Silence } from '../alerts/silence-match.ts';

/** A silence of alerts that fire already is no plan. */
const AHEAD_MS = 5 * 60_000;
/** Work that is further ahead is not announced yet. */
export const ANNOUNCED_MS = 30 * 86_400_000;
/** Periods of one recurring maintenance that are announced at a time. */
const ANNOUNCED_PERIODS = 3;

interface Subject {
  /** Id of a server or a check. */
  id: string;
  /** Null: a check. */
  tags: Readonly<Record<string, string>> | null;
}
export interface PlannedWork {
  startsAt: number;
  endsAt: number;
  /** Ids of servers and checks. */
  ids: string[];
}

/** Returns true if a silence covers everything of a server, and was made before it begins. */
function isPlanned(silence: Silence, now: number): boolean {
  const { metric, rule, subject, clusterId, namespace, startsAt, endsAt, createdAt, covered } = silence;
  if (endsAt <= now || startsAt > now + ANNOUNCED_MS) return false;
  const isWhole = [metric, rule, subject, clusterId, namespace].every((field) => field === null);
  return covered !== null || (isWhole && startsAt - createdAt >= AHEAD_MS);
}

const isIn = ({ serverIds, checkIds }: Covered, { id, tags }: Subject): boolean =>
  (tags === null ? checkIds : serverIds).includes(id);

function isMatch({ serverId, tagKey, tagValue, covered }: Silence, subject: Subject): boolean {
  if (covered !== null) return isIn(covered, subject);
  const { id, tags } = subject;
  if (tags === null || (serverId !== null && id !== serverId)) return false;
  if (tagKey === null) return true;
  return Object.hasOwn(tags, tagKey) && (tagValue === null || tags[tagKey] === tagValue);
}

/**
 * Returns the planned work on these servers and checks, earliest first. Silences of one period are one work. The comment of
 * a silence and the name of a maintenance are for colleagues and stay here.
 */
export function plannedWork(silences: readonly Silence[], subjects: readonly Subject[], now: number): PlannedWork[] {
  const periods = new Map<string, { startsAt: number; endsAt: number; ids: Set<string> }>();
  const announced = new Map<string, number>();
  for (const silence of silences.toSorted((a, b) => a.startsAt - b.startsAt)) {
    if (!isPlanned(silence, now)) continue;
    const { startsAt, endsAt, covered } = silence;
    const known = announced.get(covered?.maintenanceId ?? '') ?? 0;
    if (covered !== null && known >= ANNOUNCED_PERIODS) continue;
    if (covered !== null) announced.set(covered.maintenanceId, known + 1);
    const key = `${String(startsAt)}/${String(endsAt)}`;
    const period = periods.get(key) ?? { startsAt, endsAt, ids: new Set() };
    for (const subject of subjects) if (isMatch(silence, subject)) period.ids.add(subject.id);
    if (period.ids.size > 0) periods.set(key, period);
  }
  return [...periods.values()]
    .map(({ ids, ...period }) => ({ ...period, ids: [...ids] }))
    .toSorted((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt);
}
