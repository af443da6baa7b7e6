/**
 * Incidents that ran for the first time with an analyser whose authors had never seen them: their score stands apart. Once
 * their runs have been read and learned from, new ones take their place.
 */
const FIRST: ReadonlySet<string> = new Set([
  'cpu-burn',
  'database-old-files',
  'volume-full',
  'slow-service',
  'traffic-flood',
  'labels-overlap',
  'claim-mismatch',
  'role-binding-removed',
  'priority-preempts',
  'secret-rotated',
  'column-renamed',
  'two-job-and-startup',
  'healthy-rollback',
  'healthy-additions',
  'hosts-leads-elsewhere',
  'config-unreadable',
  'needed-unit-stopped',
  'logs-read-only',
  'cleanup-deletes-data',
  'start-times-out',
  'healthy-rotation',
  'healthy-timer',
]);
/** They ran after what those had shown was mended. */
const SECOND: ReadonlySet<string> = new Set([
  'readiness-gate-unset',
  'external-name-nowhere',
  'connection-limit-zero',
  'config-map-address',
  'root-read-only',
  'healthy-blue-green',
]);

export const isOfFirst = (name: string): boolean => FIRST.has(name);
export const isOfSecond = (name: string): boolean => SECOND.has(name);
export const isHeldOut = (name: string): boolean => isOfFirst(name) || isOfSecond(name);
