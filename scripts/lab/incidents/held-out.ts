/**
 * Incidents whose runs nobody who works on the analyser sees before it is finished: they run at the end, and their score
 * stands apart.
 */
const HELD_OUT: ReadonlySet<string> = new Set([
  'heap-too-small',
  'runs-as-root',
  'name-does-not-exist',
  'config-map-broken',
  'database-role',
  'job-fails',
  'service-account-missing',
  'host-port-taken',
  'two-service-and-limit',
  'healthy-scaling',
  'inodes-full',
  'package-replaces-config',
  'user-removed',
  'environment-file-missing',
  'healthy-unit',
]);

export const isHeldOut = (name: string): boolean => HELD_OUT.has(name);
