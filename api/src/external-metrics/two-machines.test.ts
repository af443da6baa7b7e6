import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { twoMachines } from './two-machines.ts';
import type { Value } from './types.ts';

const AT = Date.UTC(2026, 0, 2);
const BOOT = AT / 1000 - 86_400;
const prometheus = { agent: 'prometheus', identity: 'node\tlocalhost:9100', name: 'localhost' } as const;
const uname = (name: string, at = AT, kernel = '6.1'): Value => [`uname\t${name}\tLinux\t${kernel}\tx86_64`, 1, at];
const boot = (seconds: number, at = AT): Value => ['boot-time', seconds, at];

test('two host names of one interval are named', () => {
  expect(twoMachines(prometheus, [uname('beta'), uname('alpha'), boot(BOOT)], [])).toBe(
    'Several machines send as localhost: alpha and beta. Their figures are mixed. Give each a job or an instance of its own.',
  );
  const six = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => uname(name));
  expect(twoMachines(prometheus, six, [])).toContain(': a, b, c, d and 2 more.');
});

test('two machines of one host name are told apart by a time of boot that goes back', () => {
  const [first, second] = [boot(BOOT), boot(BOOT + 3600, AT + 1000)];
  const again = [boot(BOOT, AT + 60_000), boot(BOOT + 3600, AT + 61_000)];
  expect(twoMachines(prometheus, [first, second, uname('localhost')], [])).toBeNull();
  expect(twoMachines(prometheus, again, [first, second])).toBe(
    'Several machines send as localhost: machines booted at 2026-01-01T01:00:00Z and 2026-01-01T00:00:00Z. Their figures are mixed. Give each a job or an instance of its own.',
  );
  const late = boot(BOOT + 3600);
  expect([twoMachines(prometheus, [late, first], []), twoMachines(prometheus, [first, late], [])]).not.toContain(null);
  const otel = { agent: 'opentelemetry', identity: 'web', name: 'web' } as const;
  const uptimes: Value[] = [
    ['uptime', 100, AT],
    ['uptime', 90_000, AT + 1000],
  ];
  expect(twoMachines(otel, uptimes, [])).toContain('host.id');
});

test('one machine is never taken for two: it reboots, updates its kernel, and its clock is adjusted', () => {
  const step = fc.record({
    seconds: fc.integer({ min: 1, max: 600 }),
    skew: fc.integer({ min: -50, max: 50 }),
    reboots: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let [at, bootedAt] = [AT, BOOT];
      const values = steps.flatMap(({ seconds, skew, reboots }) => {
        at += seconds * 1000;
        if (reboots) bootedAt = at / 1000;
        return [boot(bootedAt + skew, at), uname('web-1', at, reboots ? '6.2' : '6.1')];
      });
      const half = Math.floor(values.length / 2);
      expect(twoMachines(prometheus, values.slice(half), values.slice(0, half))).toBeNull();
    }),
  );
});

test('values that are no times are no machines', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.double(), fc.integer()), { maxLength: 6 }), (pairs) => {
      const values = pairs.map(([seconds, at]) => boot(seconds, at));
      expect([null, 'string']).toContain(
        twoMachines(prometheus, values, []) === null ? null : typeof twoMachines(prometheus, values, []),
      );
    }),
  );
});
