import type { LoadPart, PressurePart } from '@plimsoll/contract/wire/report';

export interface PressureRow {
  resource: 'CPU' | 'Memory' | 'Disk';
  /** `some`: at least one task waited; `all`: all tasks that were not idle waited at once. */
  tasks: 'some' | 'all';
  /** Per cent of the last 10 s, minute and 5 minutes; null: not available, or not sent by this agent. */
  shares: readonly [number | null, number | null, number | null] | null;
}

type Line = NonNullable<PressurePart['cpu']>['some'];
const sharesOf = (line: Line | undefined): PressureRow['shares'] =>
  line ? [line.avg10, line.avg60, line.avg300] : null;

/** A row for each resource and kind of waiting; of the CPU "all" has no meaning for a whole machine. */
export const pressureRows = ({ cpu, memory, io }: PressurePart): PressureRow[] => [
  { resource: 'CPU', tasks: 'some', shares: sharesOf(cpu?.some) },
  { resource: 'Memory', tasks: 'some', shares: sharesOf(memory?.some) },
  { resource: 'Memory', tasks: 'all', shares: sharesOf(memory?.full) },
  { resource: 'Disk', tasks: 'some', shares: sharesOf(io?.some) },
  { resource: 'Disk', tasks: 'all', shares: sharesOf(io?.full) },
];

/** "load 2.50, 2.00, 1.50 over 1, 5, 15 min, 0.31 a core": tasks that run or wait to. */
export function loadText({ one, five, fifteen }: LoadPart, cores: number | null): string {
  const averages = [one, five, fifteen].map((load) => load.toFixed(2)).join(', ');
  const each = cores === null || cores < 1 ? '' : `, ${(one / cores).toFixed(2)} a core`;
  return `load ${averages} over 1, 5, 15 min${each}`;
}
