import { decodeHistogram, LEAST, quantile } from './histogram.ts';
import type { ContainerDay } from './types.ts';

interface UsageFigures {
  p95: number | null;
  max: number | null;
}
/** Usage of the containers of one name in a day: cores and bytes of one pod. */
export interface UsageDay {
  day: string;
  cpu: UsageFigures;
  memory: UsageFigures;
}

/** Returns the usage of each day by container, in the order of the rows. */
export function usageByDay(rows: readonly ContainerDay[]): Map<string, UsageDay[]> {
  const groups = Map.groupBy(rows, ({ container }) => container);
  return new Map(
    [...groups].map(([container, days]) => [
      container,
      days.map(({ day, cpu, memory }) => ({
        day,
        cpu: figuresOf(cpu, LEAST.cpuCores),
        memory: figuresOf(memory, LEAST.memoryBytes),
      })),
    ]),
  );
}

function figuresOf(base64: string, least: number): UsageFigures {
  const histogram = decodeHistogram(Buffer.from(base64, 'base64'));
  return { p95: quantile(histogram, 0.95, least), max: quantile(histogram, 1, least) };
}
