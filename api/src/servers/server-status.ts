import { OFFLINE_AFTER_INTERVALS, type ServerStatus } from '@plimsoll/contract/rules/limits';
import type { ScopeFacts } from './types.ts';

export type Lifetime = Pick<ScopeFacts, 'lastSeenAt' | 'uninstalledAt' | 'refusal' | 'reportIntervalSeconds'>;

/**
 * installing: enrolled, never reported. active: a report within three intervals. offline: none since. refused: it sends
 * reports, and the API refuses them. uninstalled: said goodbye for good and has not reported after that. Times in
 * milliseconds.
 */
export function serverStatus(server: Lifetime, now: number): ServerStatus {
  const { lastSeenAt, uninstalledAt, refusal, reportIntervalSeconds } = server;
  const heardAt = refusal === null ? lastSeenAt : Math.max(lastSeenAt ?? 0, refusal.lastAt);
  if (uninstalledAt !== null && (heardAt ?? 0) <= uninstalledAt) return 'uninstalled';
  if (heardAt === null) return 'installing';
  if (now - heardAt > OFFLINE_AFTER_INTERVALS * reportIntervalSeconds * 1000) return 'offline';
  return refusal === null ? 'active' : 'refused';
}
