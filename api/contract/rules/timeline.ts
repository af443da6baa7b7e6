/** Kinds of entries of the time line, the most urgent first. */
export const TIMELINE_KINDS = [
  'alert',
  'oom',
  'crash',
  'kubernetes',
  'package',
  'service',
  'config',
  'system',
  'process',
] as const;
export type TimelineKind = (typeof TIMELINE_KINDS)[number];

/** Starts and ends of processes are most of what is stored, and explain little: a list has them only on request. */
const QUIET_KINDS: readonly TimelineKind[] = ['process'];
export const DEFAULT_TIMELINE_KINDS = TIMELINE_KINDS.filter((kind) => !QUIET_KINDS.includes(kind));
