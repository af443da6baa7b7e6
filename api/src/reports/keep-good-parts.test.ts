import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { reportItem, type Report } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryOf } from '../testing/arbitrary-of.ts';
import { fullReport } from '../testing/full-report.ts';
import { judgeItem } from './judge-item.ts';
import { protectReport } from './protect-privacy.ts';
import { Redactor } from './redactor.ts';
import { sanitizeTree } from './sanitize.ts';

const receivedAt = 1_790_000_000_000;
const arrival = { receivedAt, bootId: 'b', upNow: 1000, skewSeconds: null };
type Item = Record<string, unknown>;
const item: Item = {
  ...fullReport('a', receivedAt / 1000),
  seq: 7,
  ts: receivedAt / 1000 - 60,
  up: 940,
  kind: 'host',
  window_seconds: 60,
};
const judge = (raw: Item) => judgeItem(raw, 0, arrival, new Redactor(Infinity));
/** Throws for a refused report. */
function accepted(raw: Item): Report {
  const verdict = judge(raw);
  if ('rejected' in verdict) throw new Error(verdict.rejected.detail);
  return verdict.accepted.report;
}
const notesOf = ({ agent }: Report): Record<string, string | null> =>
  Object.fromEntries(Object.entries(agent?.sources ?? {}).map(([name, { error }]) => [name, error]));
const list = <T>(count: number, entry: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => entry(index));
const copiesOf = (name: string, count: number, change: (index: number) => Item): Item[] =>
  list(count, (index) => ({ ...(item[name] as Item[])[0], ...change(index) }));

describe('a list that is too long', () => {
  it('is cut with a note: 240 disks of an old agent', () => {
    const report = accepted({ ...item, disks: copiesOf('disks', 240, (index) => ({ device: `sd${String(index)}` })) });
    expect(report.disks).toHaveLength(REPORT_LIMITS.disks);
    expect(report.cpu).toEqual(accepted(item).cpu);
    expect(notesOf(report)['disk-io']).toMatch(/^disks: 40 of 240 disks are left out: a report holds at most 200/);
  });

  it('has the same cut whatever its order and its figures are, and keeps what is over its line', () => {
    const mount = (index: number, used: number): Item => ({
      mount: `/m${String(index)}`,
      used_bytes: index === 299 ? 95 : used,
      available_bytes: 100 - (index === 299 ? 95 : used),
    });
    const mountsOf = (filesystems: Item[]): string[] =>
      (accepted({ ...item, filesystems }).filesystems ?? []).map((one) => one.mount).toSorted();
    const first = mountsOf(copiesOf('filesystems', 300, (index) => mount(index, index % 70)));
    const later = mountsOf(copiesOf('filesystems', 300, (index) => mount(index, (index * 7) % 70)).toReversed());
    expect(later).toEqual(first);
    expect(first).toHaveLength(REPORT_LIMITS.filesystems);
    expect(first).toContain('/m299');
  });

  it('of cores, sensors, units, events and sources too', () => {
    const agent = item['agent'] as Item;
    const health = { ok: true, duration_ms: 1, error: null };
    const report = accepted({
      ...item,
      cpu: { ...(item['cpu'] as Item), per_core_percent: list(5000, () => 1) },
      temperatures: copiesOf('temperatures', 150, (index) => ({ label: `t${String(index)}` })),
      units: copiesOf('units', 700, (index) => ({
        name: `u${String(index)}`,
        state: index === 699 ? 'failed' : 'active',
      })),
      events: copiesOf('events', 600, (index) => ({ id: String(index) })),
      agent: { ...agent, sources: Object.fromEntries(list(80, (index) => [`s${String(index)}`, health])) },
    });
    expect(report.cpu?.per_core_percent).toHaveLength(REPORT_LIMITS.cpus);
    expect(report.temperatures).toHaveLength(REPORT_LIMITS.temperatures);
    expect(report.units?.some(({ state }) => state === 'failed')).toBe(true);
    expect(report.events).toHaveLength(REPORT_LIMITS.events);
  });
});

describe('one bad value', () => {
  it.each([
    ['leaves its entry out', { disks: [{ device: 5 }, ...(item['disks'] as Item[])] }, 'disks', item['disks']],
    ['is unknown where the schema allows it', { cpu: { ...(item['cpu'] as Item), percent: 'x' } }, 'cpu.percent', null],
    [
      'in a list of figures is unknown',
      { cpu: { ...(item['cpu'] as Item), per_core_percent: ['x', 5] } },
      'cpu.per_core_percent',
      [null, 5],
    ],
    [
      'that is a text too long is cut',
      { processes: [{ ...(item['processes'] as Item[])[0], status: 'Running' }] },
      'processes.0.status',
      'R',
    ],
    [
      'leaves out a part that needs it',
      { memory: { ...(item['memory'] as Item), total_bytes: 2 ** 54 } },
      'memory',
      undefined,
    ],
    ['that is no object leaves out the part', { load: 'x' }, 'load', undefined],
    ['that is no list leaves out the list', { units: {} }, 'units', undefined],
    [
      'in the health of the agent is left out',
      { agent: { ...(item['agent'] as Item), spool_bytes: -1 } },
      'agent.spool_bytes',
      null,
    ],
  ])('%s', (_name, change, path, expected) => {
    const report = accepted({ ...item, ...change });
    const found = path.split('.').reduce<unknown>((at, step) => (at as Item | undefined)?.[step], report);
    expect(found).toEqual(expected);
  });

  it('is noted by field and problem', () => {
    const report = accepted({
      ...item,
      memory: { ...(item['memory'] as Item), total_bytes: 2 ** 54 },
      agent: undefined,
    });
    expect(notesOf(report)).toEqual({ memory: expect.stringMatching(/^memory\.total_bytes: Too big/) });
  });
});

const HEAD = ['seq', 'ts', 'up', 'kind', 'boot_id'];
const GARBAGE = fc.oneof(
  fc.constantFrom(null, -1, 1e300, 2 ** 60, 0.5, true, '', 'x'.repeat(5000), '\0', {}, [], [null], [[[]]], { a: 1 }),
  fc.jsonValue({ maxDepth: 3 }),
);
/** Every place in a tree, as a path. */
function pathsOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...path]];
  const below = Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...path, name]));
  return path.length === 0 ? below : [[...path], ...below];
}
function replaced(value: unknown, [step, ...rest]: readonly string[], by: unknown): unknown {
  if (step === undefined) return by;
  if (Array.isArray(value))
    return value.map((child, index) => (String(index) === step ? replaced(child, rest, by) : child));
  return { ...(value as Item), [step]: replaced((value as Item)[step], rest, by) };
}

describe('any report', () => {
  const head = { seq: 7, ts: item['ts'], up: 940, kind: 'host', boot_id: undefined };

  it('that the schema accepts is taken as it is', () => {
    fc.assert(
      fc.property(arbitraryOf(reportItem) as fc.Arbitrary<Item>, (any) => {
        const raw = { ...any, ...head };
        const whole = reportItem.parse(sanitizeTree(raw));
        expect(accepted(raw)).toEqual(protectReport(whole, new Redactor(Infinity)));
      }),
      { numRuns: 50 },
    );
  });

  it('with one field of garbage keeps its other parts, and the other entries of a list', () => {
    const whole = accepted(item) as unknown as Item;
    const paths = fc.constantFrom(...pathsOf(item).filter(([root = '']) => !HEAD.includes(root)));
    fc.assert(
      fc.property(paths, GARBAGE, (path, garbage) => {
        const report = accepted(replaced(item, path, garbage) as Item) as unknown as Item;
        const [root = '', position] = path;
        for (const name of Object.keys(whole).filter((one) => one !== root && one !== 'agent'))
          expect([name, report[name]]).toEqual([name, whole[name]]);
        const before = whole[root];
        if (!Array.isArray(before) || position === undefined) return;
        const others = before.filter((_, index) => String(index) !== position);
        expect(report[root]).toEqual(expect.arrayContaining(others));
      }),
      { numRuns: 500 },
    );
  });

  it('with garbage in its head is refused by name, or taken', () => {
    const detailsOf = (raw: Item): string[] => {
      const verdict = judge(raw);
      return 'rejected' in verdict ? [verdict.rejected.detail] : [];
    };
    fc.assert(
      fc.property(fc.constantFrom(...HEAD), GARBAGE, (field, garbage) => {
        const unnamed = detailsOf({ ...item, [field]: garbage }).filter(
          (text) => !/^(?:seq|ts|up|kind|boot_id): /.test(text),
        );
        expect(unnamed).toEqual([]);
      }),
    );
  });
});
