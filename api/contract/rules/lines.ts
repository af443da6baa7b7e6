/** Events of the kernel that the collector recognises in its log. */
export const KERNEL_LINE_KINDS = [
  'oom_kill',
  'io_error',
  'hung_task',
  'remounted_read_only',
  'link_down',
  'link_up',
  'ecc_error',
  'conntrack_full',
  'segfault',
  'thermal_throttling',
  'time_source_changed',
] as const;
export type KernelLineKind = (typeof KERNEL_LINE_KINDS)[number];
/** Lines of a host: they travel and are stored as events of its activity. */
export const HOST_LINE_KINDS = [...KERNEL_LINE_KINDS, 'journal_error'] as const;
export type HostLineKind = (typeof HOST_LINE_KINDS)[number];
/** `last_words`: the end of the log of a container's previous run, or of the last one of a pod that failed. */
export const LINE_KINDS = [...HOST_LINE_KINDS, 'last_words'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

export const KERNEL_SEVERITIES: Record<KernelLineKind, 'info' | 'warning' | 'error' | 'critical'> = {
  oom_kill: 'critical',
  io_error: 'error',
  hung_task: 'error',
  remounted_read_only: 'critical',
  link_down: 'warning',
  link_up: 'info',
  ecc_error: 'error',
  conntrack_full: 'error',
  segfault: 'error',
  thermal_throttling: 'warning',
  time_source_changed: 'warning',
};

export const LINE_LIMITS = {
  /** Distinct lines of the journal, and distinct events of the kernel, of one minute. */
  distinct: 20,
  textBytes: 400,
  subjectBytes: 128,
  /** Lines of one answer. */
  answer: 500,
  /** Lines of the previous run of a container. */
  lastWords: 20,
  /** Requests for last words of an organisation in one minute. */
  requestsPerMinute: 20,
} as const;

/** Days of a line without an alert of its server or cluster near it. Others stay as long as the alert. */
export const LINE_DAYS = 7;
/** A line belongs to an alert from this long before its beginning to this long after its end. */
export const NEAR_ALERT_MINUTES = { before: 60, after: 15 } as const;

const COUNTED = /^(\d{1,9}) × (.*)$/s;

/** Returns the message of an event that stands for `count` equal lines. */
export const countedMessage = (count: number, text: string): string =>
  count > 1 || COUNTED.test(text) ? `${String(count)} × ${text}` : text;

/** Returns count and text of a message that `countedMessage` wrote. */
export function readCounted(message: string): { count: number; text: string } {
  const [, count, text] = COUNTED.exec(message) ?? [];
  const number = Number(count);
  return text === undefined || number < 1 ? { count: 1, text: message } : { count: number, text };
}
