import type { PressurePart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Source } from '../source.ts';
import { controlGroupOf } from './enclosure/control-group.ts';
import { enclosureOf, isContainer } from './enclosure/enclosure.ts';

type Line = NonNullable<PressurePart['cpu']>['some'];

/**
 * Pressure stall information: the share of time in which tasks waited for CPU, memory or I/O. In a container the files of
 * /proc are of the whole host, so those of its control group are read.
 */
export function pressureSource(files: Files): Source {
  let from: { read: (resource: Resource) => string | null; reason: string } | undefined;
  return {
    name: 'pressure',
    read: async () => {
      from ??= pressureFiles(files);
      const { read, reason } = from;
      const [cpu, memory, io] = RESOURCES.map((name) => parsePressure(read(name)));
      if (!cpu?.some && !memory?.some && !io?.some) return { part: {}, note: reason };
      return { part: { pressure: { cpu: onlySome(cpu), memory: both(memory), io: both(io) } } };
    },
  };
}

const RESOURCES = ['cpu', 'memory', 'io'] as const;
type Resource = (typeof RESOURCES)[number];
const NOT_BUILT = 'the kernel gives no pressure figures (needs CONFIG_PSI, and psi=1 on some distributions)';
const NOT_COUNTED =
  'the control group of this container has no pressure files (needs control groups version 2), and /proc/pressure is of the host';

function pressureFiles(files: Files): { read: (resource: Resource) => string | null; reason: string } {
  const enclosure = enclosureOf(files);
  if (isContainer(enclosure) && enclosure?.lxcfs.has('pressure/cpu') !== true)
    return { read: controlGroupOf(files)?.pressure ?? (() => null), reason: NOT_COUNTED };
  return { read: (resource) => files.optional(`proc/pressure/${resource}`), reason: NOT_BUILT };
}

/** The text of one file of /proc/pressure; null for a line that is missing or cut. */
export function parsePressure(text: string | null): { some: Line | null; full: Line | null } {
  const line = (kind: string): Line | null => {
    const pattern = new RegExp(`^${kind} avg10=([\\d.]+) avg60=([\\d.]+) avg300=([\\d.]+) total=(\\d+)$`, 'm');
    const match = pattern.exec(text ?? '');
    if (!match) return null;
    const [avg10 = 0, avg60 = 0, avg300 = 0, microseconds = 0] = match.slice(1).map(Number);
    const share = (average: number): number => Math.min(100, average);
    return { avg10: share(avg10), avg60: share(avg60), avg300: share(avg300), total_seconds: microseconds / 1e6 };
  };
  return { some: line('some'), full: line('full') };
}

type Lines = ReturnType<typeof parsePressure> | undefined;
/** A whole host cannot wait for CPU: "full" is always zero there, and older kernels leave it out. */
const onlySome = (lines: Lines): PressurePart['cpu'] => (lines?.some ? { some: lines.some } : null);
const both = (lines: Lines): PressurePart['memory'] =>
  lines?.some && lines.full ? { some: lines.some, full: lines.full } : null;
