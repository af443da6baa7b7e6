import type { ChangeEvent, ChangeTopic } from '@plimsoll/contract/wire/events';

/** First words of the query keys that each topic makes stale. */
const KEYS: Record<ChangeTopic, readonly string[]> = {
  servers: ['servers', 'containers'],
  metrics: ['servers', 'metrics', 'network', 'processes', 'containers'],
  alerts: ['alerts'],
  activity: ['activity', 'ledger'],
  kubernetes: ['kubernetes', 'ledger'],
};

const isTopic = (value: unknown): value is ChangeTopic => typeof value === 'string' && Object.hasOwn(KEYS, value);

/** Parses an event; null if it is not valid. Topics that this build does not support are dropped. */
export function parseChange(text: string): ChangeEvent | null {
  try {
    const value = JSON.parse(text) as Partial<ChangeEvent> | null;
    const topics = Array.isArray(value?.topics) ? value.topics.filter(isTopic) : [];
    if (topics.length === 0) return null;
    const ids = value?.server_ids;
    return { topics, server_ids: Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : null };
  } catch {
    return null;
  }
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Server ids a query key names. */
const serversOf = (key: readonly unknown[]) =>
  key.flatMap((part) => {
    if (typeof part === 'string') return UUID.test(part) ? [part] : [];
    const id = (part as { server_id?: unknown } | null)?.server_id;
    return typeof id === 'string' ? [id] : [];
  });

/** Returns true if a change affects a query: same topic and, if it names one, same server. */
export function isTouched(key: readonly unknown[], { topics, server_ids: ids }: ChangeEvent): boolean {
  const [first] = key;
  if (!topics.some((topic) => KEYS[topic].some((word) => word === first))) return false;
  const named = serversOf(key);
  return ids === null || named.length === 0 || named.some((id) => ids.includes(id));
}

/** Two changes as one. */
export function joinChanges(a: ChangeEvent | null, b: ChangeEvent): ChangeEvent {
  if (a === null) return b;
  const ids = a.server_ids === null || b.server_ids === null ? null : [...new Set([...a.server_ids, ...b.server_ids])];
  return { topics: [...new Set([...a.topics, ...b.topics])], server_ids: ids };
}
