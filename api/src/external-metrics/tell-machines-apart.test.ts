import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_MACHINES, tellMachinesApart } from './tell-machines-apart.ts';
import type { KnownMachine, StoredReading, Value } from './types.ts';

const MINUTE = 60_000;
const START = Date.UTC(2026, 0, 2);

/** A machine with the facts that its agent sends. `bootedAt`: epoch seconds. */
interface Machine {
  name: string;
  hostname: string;
  bootedAt: number;
  apart?: string;
  address?: string | undefined;
  id?: string | undefined;
}
const A: Machine = { name: 'A', hostname: 'web', bootedAt: START / 1000 - 86_400 };
const B: Machine = { ...A, name: 'B', bootedAt: A.bootedAt - 5000 };

/** One scrape in up to two requests. The value of the figure `owner` is the name of the machine that was measured. */
function scrape(machine: Machine, at: number, cut: number | null = null): StoredReading[] {
  const { name, hostname, bootedAt, apart = '', address, id } = machine;
  const value = (key: string, number = 1): Value => [key, number, at];
  const values = [
    value(`owner\t${name}`),
    value(`uname\t${hostname}\tLinux\t6.1\tx86_64`),
    value('boot-time', bootedAt),
    ...(address === undefined ? [] : [value(`interface-address\teth0\t${address}`)]),
    ...(id === undefined ? [] : [value(`machine-id\t${id}`)]),
    value(`owner\t${name}\tend`),
  ];
  const intervalAt = Math.floor(at / MINUTE) * MINUTE;
  const request = (part: Value[]) => ({ id: '1', isReported: false, intervalAt, apart, values: part, growths: [] });
  const end = Math.min(cut ?? 0, values.length - 1);
  return cut === null ? [request(values)] : [request(values.slice(0, end)), request(values.slice(end))];
}
const ownersOf = (readings: readonly StoredReading[]): string[] =>
  [
    ...new Set(
      readings
        .flatMap(({ values }) => values.map(([key]) => key.split('\t')))
        .filter(([f]) => f === 'owner')
        .map(([, name = '']) => name),
    ),
  ].toSorted();

/** Tells the intervals apart, one after the other. Returns the owners of the samples by the key of each machine. */
function run(intervals: readonly StoredReading[][], known: KnownMachine[] = []) {
  const owners = new Map<string, Set<string>>();
  let machines = known;
  let leftOut = 0;
  for (const readings of intervals) {
    // The machines are stored as JSON between two intervals.
    const told = tellMachinesApart(JSON.parse(JSON.stringify(machines)) as KnownMachine[], readings);
    machines = told.machines;
    leftOut += told.leftOut.length;
    for (const [key, part] of told.parts) owners.set(key, new Set([...(owners.get(key) ?? []), ...ownersOf(part)]));
  }
  return { machines, leftOut, owners: [...owners.values()].map((names) => [...names].join()).toSorted() };
}

const others = fc.constantFrom<Partial<Machine>>(
  { hostname: 'other' },
  { bootedAt: A.bootedAt + 3600 },
  { bootedAt: A.bootedAt - 121 },
  { apart: 'cluster us' },
  { address: '52:54:00:00:00:02', id: undefined },
  { id: 'id-2' },
);
const minute = fc.record({
  seconds: fc.tuple(fc.integer({ min: 0, max: 59_999 }), fc.integer({ min: 0, max: 59_999 })),
  cuts: fc.tuple(fc.option(fc.integer({ min: 1, max: 5 })), fc.option(fc.integer({ min: 1, max: 5 }))),
  order: fc.integer(),
});

test('samples of two senders are never mixed, doubled or lost, however their requests come', () => {
  fc.assert(
    fc.property(
      others,
      fc.array(minute, { minLength: 1, maxLength: 12 }),
      fc.boolean(),
      (differing, minutes, hasHardware) => {
        const hardware = { address: '52:54:00:00:00:01', id: 'id-1' };
        const base = {
          ...A,
          apart: 'cluster eu',
          ...(hasHardware || 'address' in differing || 'id' in differing ? hardware : {}),
        };
        // A clone that has the hardware of the other one differs in nothing that is stable but its id.
        const own = hasHardware ? { address: '52:54:00:00:00:02', id: 'id-2' } : {};
        const [first, second] = [base, { ...base, ...own, ...differing, name: 'B' }];
        const intervals = minutes.map(({ seconds, cuts, order }, index) => {
          const at = START + index * MINUTE;
          // Two scrapes of one millisecond cannot be separated if one comes in parts.
          const later = seconds[1] === seconds[0] ? (seconds[1] + 1) % MINUTE : seconds[1];
          const requests = [...scrape(first, at + seconds[0], cuts[0]), ...scrape(second, at + later, cuts[1])];
          return requests.toSorted((a, b) => hashed(a, order) - hashed(b, order));
        });
        const { owners, leftOut, machines } = run(intervals);
        expect(owners).toEqual(['A', 'B']);
        expect(leftOut).toBe(0);
        expect(machines).toHaveLength(2);
      },
    ),
    { numRuns: 500 },
  );
});
const hashed = ({ values }: StoredReading, order: number): number =>
  createHash('md5')
    .update(`${String(values.length)}${values[0]?.[0] ?? ''}${String(order)}`)
    .digest()
    .readInt32LE();

test('two scrapes of one millisecond are told apart where each request names its machine', () => {
  expect(run([[...scrape(A, START), ...scrape(B, START)]]).owners).toEqual(['A', 'B']);
});

test('one machine stays one: it reboots, is renamed, moves to another cluster, and its clock is adjusted', () => {
  const step = fc.record({
    event: fc.constantFrom('none', 'reboot', 'rename', 'label', 'silence'),
    amount: fc.integer({ min: -50, max: 50 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), fc.option(fc.constant('52:54:00:00:00:01')), (steps, address) => {
      let machine: Machine = { ...A, ...(address !== null && { address }) };
      let at = START;
      const intervals = steps.map(({ event, amount }) => {
        at += event === 'silence' ? 100 * MINUTE : MINUTE;
        if (event === 'reboot') machine = { ...machine, bootedAt: at / 1000 - 10 };
        if (event === 'rename') machine = { ...machine, hostname: `web${String(amount)}` };
        if (event === 'label') machine = { ...machine, apart: `cluster ${String(amount)}` };
        return scrape(machine, at);
      });
      expect(run(intervals).machines.map(({ key }) => key)).toEqual(intervals.length === 0 ? [] : ['']);
    }),
  );
  const skewed = [0, 30, -40, 50].map((skew, index) =>
    scrape({ ...A, bootedAt: A.bootedAt + skew }, START + index * MINUTE),
  );
  expect(run(skewed).machines).toHaveLength(1);
});

test('one of two machines reboots, and both stay what they were', () => {
  const [one, two] = [{ ...A, name: 'A' }, B];
  const both = (at: number, first: Machine = one): StoredReading[] => [...scrape(first, at), ...scrape(two, at + 1000)];
  const rebooted = { ...one, bootedAt: (START + 4 * MINUTE) / 1000 - 5 };
  const { owners } = run([
    both(START),
    both(START + MINUTE),
    both(START + 4 * MINUTE, rebooted),
    both(START + 5 * MINUTE, rebooted),
  ]);
  expect(owners).toEqual(['A', 'B']);
});

test('a clock that is set by an hour moves the time of boot of one machine, and makes no other', () => {
  for (const step of [3600, -3600]) {
    const set = { ...A, bootedAt: A.bootedAt + step };
    expect(run([scrape(A, START), scrape(set, START + MINUTE), scrape(set, START + 2 * MINUTE)]).machines).toHaveLength(
      1,
    );
  }
});

test('a machine that had just booted when it came is told apart as soon as the first one is back', () => {
  const fresh = { ...A, name: 'B', bootedAt: START / 1000 + 50 };
  const { machines } = run([scrape(A, START), scrape(fresh, START + MINUTE)]);
  expect(machines).toHaveLength(1);
  const { owners, machines: two } = run(
    [[...scrape(A, START + 3 * MINUTE), ...scrape(fresh, START + 3 * MINUTE + 1)]],
    machines,
  );
  expect(owners).toEqual(['A', 'B']);
  expect(two).toMatchObject([{ key: '', bootedAt: A.bootedAt }, { bootedAt: fresh.bootedAt }]);
});

test.each([
  ['longer ago', -5000],
  ['later', 5000],
])('a second machine that booted %s leaves the first one its key', (_, seconds) => {
  const { machines } = run([scrape(A, START)]);
  const second = { ...A, name: 'B', bootedAt: A.bootedAt + seconds };
  const told = tellMachinesApart(machines, [...scrape(second, START + MINUTE), ...scrape(A, START + MINUTE + 1)]);
  expect([...told.parts].map(([key, part]) => [key === '', ownersOf(part)])).toEqual(
    expect.arrayContaining([
      [true, ['A']],
      [false, ['B']],
    ]),
  );
});

test('clones that share the id of their template are two', () => {
  const [one, two] = [
    { ...A, id: 'id-1', address: '52:54:00:00:00:01' },
    { ...B, id: 'id-1', address: '52:54:00:00:00:02' },
  ];
  expect(run([[...scrape(one, START), ...scrape(two, START + 1)]]).owners).toEqual(['A', 'B']);
});

test('samples that were late, of the boot before, are of the same machine', () => {
  const rebooted = { ...A, bootedAt: (START + 4 * MINUTE) / 1000 };
  const { machines } = run([scrape(A, START), scrape(rebooted, START + 5 * MINUTE), scrape(A, START + MINUTE)]);
  expect(machines).toMatchObject([{ key: '', bootedAt: rebooted.bootedAt }]);
});

test('samples that name none of two machines are of neither, and of the one that is alone', () => {
  const nameless = (at: number): StoredReading => ({
    id: '1',
    isReported: false,
    intervalAt: at,
    apart: '',
    values: [['load\tone', 1, at]],
    growths: [],
  });
  expect(run([scrape(A, START), [nameless(START + MINUTE)]]).leftOut).toBe(0);
  expect(run([[...scrape(A, START), ...scrape(B, START + 1)], [nameless(START + MINUTE)]]).leftOut).toBe(1);
  // Samples without any name make one machine, as before.
  expect(run([[nameless(START)], [nameless(START + MINUTE)]]).machines).toHaveLength(1);
});

test('labels that change at each start make no machines without end', () => {
  const many = Array.from({ length: 40 }, (_, index) =>
    scrape({ ...A, hostname: `web-${String(index)}` }, START + index),
  );
  const { machines, leftOut } = run([many.flat()]);
  expect(machines).toHaveLength(MOST_MACHINES);
  expect(leftOut).toBe(40 - MOST_MACHINES);
});
