import type { LineKind } from '@plimsoll/contract/rules/lines';
import type { LogLine } from '@plimsoll/contract/wire/lines';
import { escapeInvisible } from '../../format/escape-invisible.ts';

export const KIND_NAME: Record<LineKind, string> = {
  oom_kill: 'Killed: out of memory',
  io_error: 'I/O error',
  hung_task: 'Hung task',
  remounted_read_only: 'Read-only filesystem',
  link_down: 'Link down',
  link_up: 'Link up',
  ecc_error: 'Memory error',
  conntrack_full: 'Connection table full',
  segfault: 'Crash',
  thermal_throttling: 'Throttled by heat',
  time_source_changed: 'Clock source changed',
  journal_error: 'Error',
  last_words: 'Last words',
};

/** Says what wrote the line: a unit, a disk, or a container with its pod. */
export function sourceOf({ kind, subject, namespace, pod, container }: LogLine): string {
  const parts = kind === 'last_words' ? [namespace, pod, container] : [subject];
  return escapeInvisible(parts.filter((part) => part !== null).join(' / '));
}

/** Lines of the pods of a workload, which begin with its name, or of the pod itself. */
export const ofWorkload = (lines: readonly LogLine[], name: string): LogLine[] =>
  lines.filter(({ pod }) => pod === null || pod === name || pod.startsWith(`${name}-`));
