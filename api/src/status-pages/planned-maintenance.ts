import type { Silence } from '../alerts/silence-match.ts';

/** A silence of alerts that fire already is no plan. */
const AHEAD_MS = 5 * 60_000;
/** Work that is further ahead is not announced yet. */
const ANNOUNCED_MS = 30 * 86_400_000;

interface Subject {
  serverId: string;
  tags: Readonly<Record<string, string>>;
}
export interface PlannedWork {
  startsAt: number;
  endsAt: number;
  serverIds: string[];
}

/** Returns true if a silence covers everything of a server, and was made before it begins. */
function isPlanned(silence: Silence, now: number): boolean {
  const { metric, rule, subject, clusterId, namespace, startsAt, endsAt, createdAt } = silence;
  const isWhole = [metric, rule, subject, clusterId, namespace].every((field) => field === null);
  return isWhole && startsAt - createdAt >= AHEAD_MS && endsAt > now && startsAt <= now + ANNOUNCED_MS;
}

const isMatch = ({ serverId, tagKey, tagValue }: Silence, subject: Subject): boolean => {
  if (serverId !== null && subject.serverId !== serverId) return false;
  if (tagKey === null) return true;
  return Object.hasOwn(subject.tags, tagKey) && (tagValue === null || subject.tags[tagKey] === tagValue);
};

/**
 * Returns the planned work on these servers, earliest first. Silences of one period are one work. The comment of a silence
 * is for colleagues and stays here.
 */
export function plannedWork(silences: readonly Silence[], subjects: readonly Subject[], now: number): PlannedWork[] {
  const periods = new Map<string, { startsAt: number; endsAt: number; serverIds: Set<string> }>();
  for (const silence of silences) {
    if (!isPlanned(silence, now)) continue;
    const { startsAt, endsAt } = silence;
    const key = `${String(startsAt)}/${String(endsAt)}`;
    const period = periods.get(key) ?? { startsAt, endsAt, serverIds: new Set() };
    for (const subject of subjects) if (isMatch(silence, subject)) period.serverIds.add(subject.serverId);
    if (period.serverIds.size > 0) periods.set(key, period);
  }
  return [...periods.values()]
    .map(({ serverIds, ...period }) => ({ ...period, serverIds: [...serverIds] }))
    .toSorted((a, b) => a.startsAt - b.startsAt || a.endsAt - b.endsAt);
}
