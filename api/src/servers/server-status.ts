import { OFFLINE_AFTER_INTERVALS, type ServerStatus } from '@plimsoll/contract/rules/limits';
import type { ServerRecord } from './types.ts';

export type Lifetime = Pick<ServerRecord, 'lastSeenAt' | 'uninstalledAt' | 'reportIntervalSeconds'>;

/**
 * installing: enrolled, never reported. active: a report within three intervals. offline: none since.
 * uninstalled: said goodbye for good and has not reported after that. Times in milliseconds.
 */
export function serverStatus(server: Lifetime, now: number): ServerStatus {
  const { lastSeenAt, uninstalledAt, reportIntervalSeconds } = server;
  if (uninstalledAt !== null && (lastSeenAt ?? 0) <= uninstalledAt) return 'uninstalled';
  if (lastSeenAt === null) return 'installing';
  return now - lastSeenAt <= OFFLINE_AFTER_INTERVALS * reportIntervalSeconds * 1000 ? 'active' : 'offline';
}
