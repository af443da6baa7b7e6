import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idleOf, monthlyPrice, sharesOf } from './shares.ts';
import type { StoredPod } from './types.ts';

const GB = 2 ** 30;
const pod = (parts: Partial<StoredPod> = {}): StoredPod => ({
  namespace: 'shop',
  name: 'api-1',
  node: 'node-1',
  kind: 'Deployment',
  owner: 'api',
  labels: {},
  cpu: 1,
  memory: GB,
  usedCpu: 0.2,
  usedMemory: 3 * GB,
  placement: null,
  claims: [],
  createdAt: 1,
  deleting: false,
  unknown: null,
  ...parts,
});
const PRICE = { currency: 'EUR', coreHour: 0.03, gbHour: 0.004 };

describe('the share of a workload', () => {
  it('is of each pod the request, or the use where that is more', () => {
    const shares = sharesOf([
      pod(),
      pod({ name: 'api-2', usedCpu: 4 }),
      pod({ owner: 'db', cpu: null, usedCpu: null }),
    ]);
    expect(shares).toMatchObject({
      rows: [
        { name: 'api', pods: 2, cpuCores: 5, memoryBytes: 6 * GB },
        { name: 'db', pods: 1, cpuCores: 0, memoryBytes: 3 * GB },
      ],
      workloads: 2,
      cpuCores: 5,
      memoryBytes: 9 * GB,
      unknownPods: 1,
    });
  });
  it('has no pod that waits for a node, and a pod without a controller under its own name', () => {
    expect(sharesOf([pod({ node: null }), pod({ kind: null, owner: null, name: 'bare' })]).rows).toMatchObject([
      { kind: 'Pod', name: 'bare', pods: 1 },
    ]);
  });
  it('adds up to the whole with what is idle', () => {
    const amount = fc.option(fc.double({ min: 0, max: 8, noNaN: true }));
    const pods = fc.array(
      fc.record({ cpu: amount, memory: amount, usedCpu: amount, usedMemory: amount, owner: fc.constantFrom('a', 'b') }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(pods, (drawn) => {
        const shares = sharesOf(drawn.map((parts) => pod(parts)));
        const sum = shares.rows.reduce((total, { cpuCores }) => total + cpuCores, 0);
        expect(sum).toBeCloseTo(shares.cpuCores, 6);
        const whole = { cpuCores: shares.cpuCores + 5, memoryBytes: shares.memoryBytes + GB };
        const idle = idleOf(whole, shares);
        expect(idle?.cpuCores).toBeCloseTo(5, 6);
        const rows = shares.rows.reduce((total, row) => total + monthlyPrice(row, PRICE), 0);
        expect(rows + monthlyPrice(idle ?? whole, PRICE)).toBeCloseTo(monthlyPrice(whole, PRICE), 4);
      }),
    );
  });
});

describe('what is idle', () => {
  it('is never less than nothing, and not known without the size of each node', () => {
    const held = { cpuCores: 9, memoryBytes: GB };
    expect(idleOf({ cpuCores: 8, memoryBytes: 2 * GB }, held)).toEqual({ cpuCores: 0, memoryBytes: GB });
    expect(idleOf({ cpuCores: null, memoryBytes: 2 * GB }, held)).toBeNull();
  });
});

it('a core and 4 GB for a month are 730 hours of each', () => {
  expect(monthlyPrice({ cpuCores: 1, memoryBytes: 4 * GB }, PRICE)).toBeCloseTo(730 * (0.03 + 0.016), 6);
  expect(monthlyPrice({ cpuCores: null, memoryBytes: null }, PRICE)).toBe(0);
});
