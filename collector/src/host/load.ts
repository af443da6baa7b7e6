import type { LoadPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Source } from '../source.ts';

/** Load averages: runnable and uninterruptible tasks, not per core. */
export function loadSource(files: Files): Source {
  return { name: 'load', read: async () => ({ part: { load: parseLoadavg(files.text('proc/loadavg')) } }) };
}

export function parseLoadavg(text: string): LoadPart {
  const [one, five, fifteen] = text.split(' ').map(Number);
  if (![one, five, fifteen].every(Number.isFinite)) throw new Error('/proc/loadavg does not begin with three numbers');
  return { one: one ?? 0, five: five ?? 0, fifteen: fifteen ?? 0 };
}
