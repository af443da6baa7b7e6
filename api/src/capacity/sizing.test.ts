import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addValue, encodeHistogram, type Histogram, LEAST } from './histogram.ts';
import { type AdviceRules, DEFAULT_ADVICE } from './advice.ts';
import { type Observed, sizeContainers } from './sizing.ts';
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
  usage: Observed['usage'],
  parts: Partial<ContainerSpec> = {},
  ooms: Partial<OomCount>[] = [],
  { rules = DEFAULT_ADVICE, autoscalers = [] }: { rules?: AdviceRules; autoscalers?: Observed['autoscalers'] } = {},
): SizingRow | undefined =>
  sizeContainers(
    {
      usage,
      specs: [spec(parts)],
      ooms: ooms.map((one) => ({ ...NAMES, kills: 1, limit: null, ...one })),
      autoscalers,
    },
    rules,
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

  it('stays when a workload of one pod gets more pods after some days', () => {
    const days = ['2026-01-28', '2026-01-29', '2026-01-30'].map((day) => ({ ...flat(0.1, 300 * MB), day }));
    expect(sized(days, { pods: 10 })).toMatchObject({ reason: null, cpuVerdict: 'too_large' });
    expect(sized(days.slice(1), { pods: 10 })?.reason).toContain('less than 24 hours');
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
    expect(sizeContainers({ usage: [flat(0.1, 100 * MB)], specs: [], ooms: [], autoscalers: [] })).toEqual([]);
  });

  it('puts what was killed first, then what is too small, then the largest savings', () => {
    const named = (workload: string, row: ReturnType<typeof flat>) => ({ ...row, workload });
    const rows = sizeContainers({
      usage: [
        named('wasteful', flat(0.1, 100 * MB)),
        named('killed', flat(0.95, 900 * MB)),
        named('small', flat(0.95, 1500 * MB)),
        named('fine', flat(0.95, 850 * MB)),
      ],
      specs: ['wasteful', 'killed', 'small', 'fine'].map((workload) => spec({ workload })),
      ooms: [{ ...NAMES, workload: 'killed', kills: 3, limit: 1024 * MB }],
      autoscalers: [],
    });
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

describe('the settings of the advice', () => {
  const busy = dayOf(
    '2026-01-30',
    (minute) => (minute % 10 === 0 ? 2 : 0.2),
    () => 1000 * MB,
  );

  it.each<[Partial<AdviceRules>, { cpu: number; memoryMb: number; oom: string }]>([
    [{}, { cpu: 2, memoryMb: 1152, oom: '1 OOM kill in 14 days' }],
    [{ cpuPercentile: 80 }, { cpu: 0.2, memoryMb: 1152, oom: '1 OOM kill in 14 days' }],
    [{ memorySurplusPercent: 100 }, { cpu: 2, memoryMb: 2048, oom: '1 OOM kill in 14 days' }],
    [{ days: 7 }, { cpu: 2, memoryMb: 1152, oom: '1 OOM kill in 7 days' }],
  ])('%j decide', (rules, expected) => {
    const row = sized([busy], {}, [{ kills: 1 }], { rules: { ...DEFAULT_ADVICE, ...rules } });
    expect(row?.cpu.advice).toBeGreaterThan(expected.cpu * 0.97);
    expect(row?.cpu.advice).toBeLessThan(expected.cpu * 1.08);
    expect(Math.abs((row?.memory.advice ?? 0) / MB - expected.memoryMb)).toBeLessThanOrEqual(64);
    expect(row?.evidence[0]).toBe(expected.oom);
    // The percentile of the advice is not the p95 that the page shows.
    expect(row?.cpu.p95).toBeGreaterThan(1.9);
  });

  it.each<[AdviceRules['cpuLimit'], number | null, number | null]>([
    ['none', 3, null],
    ['as_today', 3, 3],
    ['as_today', 1, 2],
    ['as_today', null, null],
  ])('%s with a limit of %j advises the limit %j', (cpuLimit, limit, advised) => {
    const row = sized([busy], { cpuLimit: limit }, [], { rules: { ...DEFAULT_ADVICE, cpuLimit } });
    expect(row?.cpu.limitAdvice ?? null).toBe(advised === 2 ? (row?.cpu.advice ?? null) : advised);
    expect(row?.memory.limitAdvice).toBe(row?.memory.advice);
  });
});

it('a container that uses all of its CPU limit is too small, because no collector reports throttling', () => {
  const row = sized([flat(0.5, 900 * MB)], { cpuRequest: 0.5, cpuLimit: 0.5 });
  expect(row).toMatchObject({
    cpuVerdict: 'too_small',
    evidence: ['CPU at its limit on the busiest day, so it may need more than the advice'],
  });
  expect(sized([flat(0.4, 900 * MB)], { cpuRequest: 0.5, cpuLimit: 0.5 })).toMatchObject({ cpuVerdict: 'fits' });
});

it('names the autoscalers of its workload, and no other', () => {
  const scaler = (workload: string) => ({
    namespace: 'shop',
    name: `${workload}-hpa`,
    kind: 'Deployment',
    workload,
    targets: [{ resource: 'cpu', container: null, utilizationPercent: 70 } as const],
  });
  const row = sized([flat(0.2, 900 * MB)], { cpuRequest: 1 }, [], { autoscalers: [scaler('api'), scaler('db')] });
  expect(row?.autoscalers).toMatchObject([{ name: 'api-hpa', resource: 'cpu', utilizationPercent: 70, now: 0.7 }]);
  expect(row?.autoscalers[0]?.after).toBeCloseTo((row?.cpu.advice ?? 0) * 0.7, 9);
});

it('adds the requests of the other containers to the target of a pod', () => {
  const proxy = { ...spec({ cpuRequest: 0.5 }), container: 'proxy' };
  const other = { ...spec({ cpuRequest: 9 }), workload: 'db' };
  const targets = [{ resource: 'cpu' as const, container: null, utilizationPercent: 50 }];
  const autoscalers = [{ namespace: 'shop', name: 'api', kind: 'Deployment', workload: 'api', targets }];
  const usage = [flat(0.2, 900 * MB)];
  const [row] = sizeContainers({ usage, specs: [spec(), proxy, other], ooms: [], autoscalers });
  expect(row?.autoscalers).toMatchObject([{ name: 'api', now: 0.75 }]);
});
