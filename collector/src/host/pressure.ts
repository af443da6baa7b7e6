import type { PressurePart } from '@plimsoll/contract/wire/report';
import type { Files } from '../runtime/files.ts';
import type { Source } from '../source.ts';

type Line = NonNullable<PressurePart['cpu']>['some'];

/** Pressure stall information: the share of time in which tasks waited for CPU, memory or I/O. */
export function pressureSource(files: Files): Source {
  return {
    name: 'pressure',
    read: async () => {
      const [cpu, memory, io] = ['cpu', 'memory', 'io'].map((name) =>
        parsePressure(files.optional(`proc/pressure/${name}`)),
      );
      if (!cpu?.some && !memory?.some && !io?.some) {
        return {
          part: {},
          note: 'the kernel gives no pressure figures (needs CONFIG_PSI, and psi=1 on some distributions)',
        };
      }
      return { part: { pressure: { cpu: onlySome(cpu), memory: both(memory), io: both(io) } } };
    },
  };
}

/** The text of one file of /proc/pressure; null for a line that is missing or cut. */
export function parsePressure(text: string | null): { some: Line | null; full: Line | null } {
  const line = (kind: string): Line | null => {
    const pattern = new RegExp(`^${kind} avg10=([\\d.]+) avg60=([\\d.]+) avg300=([\\d.]+) total=(\\d+)$`, 'm');
    const match = pattern.exec(text ?? '');
    if (!match) return null;
    const [avg10 = 0, avg60 = 0, avg300 = 0, microseconds = 0] = match.slice(1).map(Number);
    return { avg10, avg60, avg300, total_seconds: microseconds / 1e6 };
  };
  return { some: line('some'), full: line('full') };
}

type Lines = ReturnType<typeof parsePressure> | undefined;
/** A whole host cannot wait for CPU: "full" is always zero there, and older kernels leave it out. */
const onlySome = (lines: Lines): PressurePart['cpu'] => (lines?.some ? { some: lines.some } : null);
const both = (lines: Lines): PressurePart['memory'] =>
  lines?.some && lines.full ? { some: lines.some, full: lines.full } : null;
