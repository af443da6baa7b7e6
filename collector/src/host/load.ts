import { containerName } from '@plimsoll/contract/rules/machines/virtualization';
import type { LoadPart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Source } from '../source.ts';
import { type Enclosure, enclosureOf, isContainer } from './enclosure/enclosure.ts';
import { parsePidStat } from './tables/pid-stat.ts';

/**
 * Load averages: runnable and uninterruptible tasks, not per core. In a container the kernel counts the tasks of the whole
 * host, so they are left out with the reason; pressure shows there how long tasks waited.
 */
export function loadSource(files: Files): Source {
  let enclosure: Enclosure | null | undefined;
  return {
    name: 'load',
    read: async () => {
      enclosure = enclosure === undefined ? enclosureOf(files) : enclosure;
      const text = files.text('proc/loadavg');
      const foreign = enclosure === null ? null : foreignLoad(files, enclosure, text);
      return foreign === null ? { part: { load: parseLoadavg(text) } } : { part: {}, note: foreign };
    },
  };
}

/** Returns the reason why the load is not this machine's; null when it is. */
function foreignLoad(files: Files, enclosure: Enclosure, loadavg: string): string | null {
  if (enclosure.kind === 'wsl1') return 'WSL 1 has no load average: /proc/loadavg holds constants';
  // The kernel of OpenVZ counts the tasks of each container apart.
  if (!isContainer(enclosure) || enclosure.kind === 'openvz') return null;
  if (enclosure.lxcfs.has('loadavg') && isOwnLoad(files, loadavg)) return null;
  return `The load average is that of the host, not of this ${containerName(enclosure.kind) ?? 'container'}; pressure shows how long its own tasks waited`;
}

/** Fewer than any host has kernel threads, which no container sees; processes begin and end between two files. */
const MOST_DIFFERENCE = 20;

/**
 * lxcfs hands out the container's load only with its option -l. The fourth field of the file says which load it is: it
 * counts every thread, and those of the host include its kernel's.
 */
function isOwnLoad(files: Files, loadavg: string): boolean {
  const total = Number(/^\S+ \S+ \S+ \d+\/(\d+)/.exec(loadavg)?.[1]);
  let visible = 0;
  for (const entry of files.list('proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const line = files.optional(`proc/${entry}/stat`);
    visible += (line === null ? null : parsePidStat(Buffer.from(line)))?.threads ?? 0;
  }
  return visible > 0 && Math.abs(total - visible) < MOST_DIFFERENCE;
}

export function parseLoadavg(text: string): LoadPart {
  const [one, five, fifteen] = text.split(' ').map(Number);
  if (![one, five, fifteen].every(Number.isFinite)) throw new Error('/proc/loadavg does not begin with three numbers');
  return { one: one ?? 0, five: five ?? 0, fifteen: fifteen ?? 0 };
}
