import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addValue, encodeHistogram, type Histogram, LEAST } from './histogram.ts';
import { sizeContainers } from './sizing.ts';
import type { ContainerSpec, OomCount, SizingRow } from './types.ts';

const MB = 2 ** 20;
const NAMES = { namespace: 'shop', kind: 'Deployment', workload: 'api', container: 'app' };
const textOf = (values: readonly number[], least: number): string => {
  const histogram: Histogram = new Map();
  for (const value of values) addValue(histogram, value, least);
  return encodeHistogram(histogram).toString('base64');
};
const MINUTES = 1440;
const dayOf = (
  day: string,
  cores: (minute: number) => number,
  bytes: (minute: number) => number,
  minutes = MINUTES,
) => {
  const each = Array.from({ length: minutes }, (_, minute) => minute);
  return {
    ...NAMES,
    day,
    cpu: textOf(each.map(cores), LEAST.cpuCores),
    memory: textOf(each.map(bytes), LEAST.memoryBytes),
  };
};
const spec = (parts: Partial<ContainerSpec> = {}): ContainerSpec => ({
  ...NAMES,
  pods: 1,
  cpuRequest: 1,
  cpuLimit: null,
  memoryRequest: 1024 * MB,
  memoryLimit: 2048 * MB,
  ...parts,
});
const sized = (
  days: Parameters<typeof sizeContainers>[0],
  parts: Partial<ContainerSpec> = {},
  ooms: Partial<OomCount>[] = [],
): SizingRow | undefined =>
  sizeContainers(
    days,
    [spec(parts)],
    ooms.map((one) => ({ ...NAMES, kills: 1, limit: null, ...one })),
  )[0];
const flat = (cores: number, bytes: number) =>
  dayOf(
    '2026-01-30',
    () => cores,
    () => bytes,
  );

describe('advice', () => {
  it('for CPU is the p95 of the busiest day, for memory the maximum and 15 %', () => {
    const quiet = dayOf(
      '2026-01-29',
      () => 0.1,
      () => 300 * MB,
    );
    const busy = dayOf(
      '2026-01-30',
      (minute) => (minute < 100 ? 0.4 : 0.2),
      () => 400 * MB,
    );
    const row = sized([quiet, busy]);
    expect(row?.cpu.advice).toBeCloseTo(0.4, 1);
    expect(row?.memory.advice).toBe(512 * MB);
    expect([row?.cpuVerdict, row?.memoryVerdict]).toEqual(['too_large', 'too_large']);
    expect(row?.evidence).toEqual(['frees 512 MB', expect.stringMatching(/^frees 5[89]\d millicores$/)]);
  });

  it('is never below an OOM kill, however little was seen', () => {
    const row = sized([flat(0.1, 100 * MB)], {}, [{ kills: 2, limit: 600 * MB }]);
    expect(row?.memory.advice).toBe(704 * MB);
    expect(row).toMatchObject({
      memoryVerdict: 'too_small',
      evidence: ['2 OOM kills in 14 days', expect.any(String) as string],
    });
    expect(row?.frees.memoryBytes).toBeNull();
  });

  it.each<[string, Partial<ContainerSpec>, string, string]>([
    ['over its request', { memoryRequest: 300 * MB }, 'too_small', 'memory over its request'],
    ['at its limit', { memoryLimit: 410 * MB, memoryRequest: 405 * MB }, 'too_small', 'memory at its limit'],
    ['well sized', { memoryRequest: 512 * MB }, 'fits', ''],
  ])('calls memory that is %s by its name', (_, parts, verdict, evidence) => {
    const row = sized([flat(0.95, 400 * MB)], parts);
    expect([row?.memoryVerdict, row?.evidence.join()]).toEqual([verdict, evidence]);
  });

  it('counts what all pods of the workload free', () => {
    const days = [flat(0.95, 400 * MB), flat(0.95, 400 * MB), flat(0.95, 400 * MB), flat(0.95, 400 * MB)];
    const row = sized(days, { pods: 4 });
    expect(row?.frees.memoryBytes).toBe(4 * 512 * MB);
    expect(row?.evidence).toEqual(['frees 512 MB × 4 pods']);
  });

  it('is none for less than a day of usage, without a request, and for a workload that is gone', () => {
    const short = dayOf(
      '2026-01-30',
      () => 0.1,
      () => 100 * MB,
      600,
    );
    expect(sized([short])).toMatchObject({
      memoryVerdict: 'unknown',
      cpuVerdict: 'unknown',
      reason: 'Its usage is known for less than 24 hours.',
      cpu: { advice: null },
      memory: { advice: null },
    });
    const open = sized([flat(0.1, 100 * MB)], { cpuRequest: null, memoryRequest: null });
    expect(open).toMatchObject({ cpuVerdict: 'unknown', evidence: ['no CPU and memory request is set'] });
    expect(sizeContainers([flat(0.1, 100 * MB)], [], [])).toEqual([]);
  });

  it('puts what was killed first, then what is too small, then the largest savings', () => {
    const named = (workload: string, row: ReturnType<typeof flat>) => ({ ...row, workload });
    const rows = sizeContainers(
      [
        named('wasteful', flat(0.1, 100 * MB)),
        named('killed', flat(0.95, 900 * MB)),
        named('small', flat(0.95, 1500 * MB)),
        named('fine', flat(0.95, 850 * MB)),
      ],
      ['wasteful', 'killed', 'small', 'fine'].map((workload) => spec({ workload })),
      [{ ...NAMES, workload: 'killed', kills: 3, limit: 1024 * MB }],
    );
    expect(rows.map(({ name }) => name)).toEqual(['killed', 'small', 'wasteful', 'fine']);
  });

  it('never asks for less memory than was used, nor more CPU than the busiest minute', () => {
    const usage = fc.array(
      fc.record({ cores: fc.double({ min: 0, max: 8, noNaN: true }), mb: fc.integer({ min: 1, max: 4000 }) }),
      { minLength: 2, maxLength: 20 },
    );
    fc.assert(
      fc.property(usage, (values) => {
        const at = (minute: number) => values[minute % values.length] ?? { cores: 0, mb: 1 };
        const row = sized([
          dayOf(
            '2026-01-30',
            (minute) => at(minute).cores,
            (minute) => at(minute).mb * MB,
          ),
        ]);
        expect(row?.memory.advice ?? 0).toBeGreaterThanOrEqual(Math.max(...values.map(({ mb }) => mb)) * MB);
        expect(row?.cpu.advice ?? 0).toBeLessThanOrEqual(Math.max(...values.map(({ cores }) => cores)) * 1.02 + 0.01);
      }),
      { numRuns: 30 },
    );
  });
});
