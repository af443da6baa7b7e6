import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identify, type EnrollingMachine, type KnownMachine } from './same-machine.ts';

const NOW = 1_790_000_000_000;
const INTERVAL_SECONDS = 60;
const ago = (seconds: number): number => NOW - seconds * 1000;
const known = (more: Partial<KnownMachine> = {}): KnownMachine => ({
  key: 1,
  name: 'ct101',
  hostnames: ['ct101'],
  boots: [101],
  isClone: false,
  enrolledAt: ago(3600),
  heardAt: ago(20),
  uninstalledAt: null,
  reportIntervalSeconds: INTERVAL_SECONDS,
  ...more,
});
const clone = (more: Partial<KnownMachine> = {}): KnownMachine =>
  known({ key: 2, name: 'ct102', hostnames: ['ct102'], boots: [102], isClone: true, ...more });
const machine = (more: Partial<EnrollingMachine> = {}): EnrollingMachine => ({
  hostname: 'ct102',
  boot: 102,
  cloned: false,
  ...more,
});
const SAME = { kind: 'same', key: 1 };
const SAME_CLONE = { kind: 'same', key: 2 };
const CLONE = { kind: 'clone' };
const decide = (all: KnownMachine[], more: Partial<EnrollingMachine> = {}) => identify(all, machine(more), NOW);

describe('a machine with the id of a known one', () => {
  test('is new where nothing is known', () => expect(decide([])).toEqual({ kind: 'new' }));

  test('is a clone while the known one reports, whatever it has in common', () => {
    expect(decide([known()])).toEqual(CLONE);
    expect(decide([known()], { hostname: 'ct101' })).toEqual(CLONE);
    // Containers of one host share its boot id.
    expect(decide([known()], { boot: 101 })).toEqual(CLONE);
  });

  test('is the same by boot id and host name, also by those of the last report', () => {
    const again = { hostname: 'ct101', boot: 101 };
    expect(decide([known()], again)).toEqual(SAME);
    expect(decide([known({ boots: [7, 101], hostnames: ['old', 'ct101'] })], again)).toEqual(SAME);
  });

  test('is the same after three intervals of silence, and not a moment before', () => {
    expect(decide([known({ heardAt: ago(180) })])).toEqual(CLONE);
    expect(decide([known({ heardAt: ago(180) - 1 })])).toEqual(SAME);
    expect(decide([known({ heardAt: ago(200), reportIntervalSeconds: 120 })])).toEqual(CLONE);
  });

  test('is a clone of one that enrolled a moment ago and has not reported yet', () => {
    expect(decide([known({ heardAt: null, enrolledAt: NOW })])).toEqual(CLONE);
    expect(decide([known({ heardAt: null, enrolledAt: ago(181) })])).toEqual(SAME);
  });

  test('is the same as one that was uninstalled and has not reported since', () => {
    expect(decide([known({ uninstalledAt: ago(10) })])).toEqual(SAME);
    expect(decide([known({ uninstalledAt: ago(30) })])).toEqual(CLONE);
  });

  test('is the same by host name if no boot of the known one is known', () => {
    expect(decide([known({ boots: [] })], { hostname: 'ct101' })).toEqual(SAME);
    expect(decide([known({ boots: [] })])).toEqual(CLONE);
  });

  test('is the same without a boot id, as for a collector of 0.1.0', () => {
    expect(decide([known()], { boot: null })).toEqual(SAME);
    expect(decide([known(), clone()], { boot: null, hostname: 'ct101' })).toEqual(SAME);
    expect(decide([known(), clone()], { boot: null })).toEqual(SAME_CLONE);
  });
});

describe('a clone', () => {
  test('is found again by its host name: in the same boot, before its first report, and after silence', () => {
    expect(decide([known(), clone()])).toEqual(SAME_CLONE);
    expect(decide([known(), clone({ heardAt: null })], { boot: 9 })).toEqual(SAME_CLONE);
    expect(decide([known(), clone({ heardAt: ago(181), enrolledAt: ago(181) })], { boot: 9 })).toEqual(SAME_CLONE);
    expect(decide([known({ heardAt: ago(9999) }), clone({ heardAt: ago(999) })], { boot: 9 })).toEqual(SAME_CLONE);
  });

  test('does not lose its server to a third machine with its host name', () => {
    expect(decide([known(), clone()], { boot: 9 })).toEqual(CLONE);
    expect(decide([known({ heardAt: ago(999) }), clone()], { boot: 9 })).toEqual(CLONE);
  });

  test('keeps its server after the first one is deleted', () => {
    expect(decide([clone()])).toEqual(SAME_CLONE);
    expect(decide([clone()], { hostname: 'ct103', boot: 103 })).toEqual({ kind: 'new' });
  });

  test('by a conflict of streams never gets the server it reported for', () => {
    const conflict = { hostname: 'ct101', boot: 101, cloned: true };
    expect(decide([known()], conflict)).toEqual(CLONE);
    const mine = clone({ hostnames: ['ct101'], boots: [101] });
    expect(decide([known(), mine], conflict)).toEqual(CLONE);
    expect(decide([known(), { ...mine, heardAt: null }], conflict)).toEqual(SAME_CLONE);
  });
});

test('no machine with a boot id takes the server of one that reports from another boot', () => {
  const hostname = fc.constantFrom('a', 'b', 'c');
  const boot = fc.integer({ min: 1, max: 4 });
  const anyKnown = fc.record({ hostname, boot, isClone: fc.boolean(), heardAgo: fc.integer({ min: 0, max: 400 }) });
  fc.assert(
    fc.property(fc.array(anyKnown, { maxLength: 5 }), hostname, boot, fc.boolean(), (all, name, ownBoot, cloned) => {
      const machines = all.map((one, key) =>
        known({
          key,
          isClone: one.isClone && key > 0,
          hostnames: [one.hostname],
          boots: [one.boot],
          heardAt: ago(one.heardAgo),
        }),
      );
      const decided = decide(machines, { hostname: name, boot: ownBoot, cloned });
      if (decided.kind !== 'same') return;
      const taken = machines[decided.key];
      const isOwn = taken?.hostnames[0] === name && taken.boots[0] === ownBoot;
      expect(isOwn || (taken?.heardAt ?? NOW) < ago(3 * INTERVAL_SECONDS)).toBe(true);
    }),
  );
});
