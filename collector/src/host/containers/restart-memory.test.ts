import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RestartMemory } from './restart-memory.ts';

const group = (inode: number | null) => ({ inode, counted: null });

describe('restarts of the last hour', () => {
  it('counts a new control group of the same container', () => {
    const memory = new RestartMemory();
    expect([10, 10, 11, 12].map((inode, index) => memory.note('a', group(inode), index * 60))).toEqual([0, 0, 1, 2]);
  });

  it('counts a container that was away between two runs', () => {
    const memory = new RestartMemory();
    memory.note('a', group(10), 0);
    memory.note('a', group(null), 60);
    expect(memory.note('a', group(11), 120)).toBe(1);
  });

  it('prefers the count of the runtime, which has the restarts between two readings', () => {
    const memory = new RestartMemory();
    memory.note('a', { inode: 10, counted: 4 }, 0);
    expect(memory.note('a', { inode: 11, counted: 9 }, 60)).toBe(5);
  });

  it('does not count a restart by hand, with which the runtime starts at 0', () => {
    const memory = new RestartMemory();
    memory.note('a', { inode: 10, counted: 4 }, 0);
    expect(memory.note('a', { inode: 11, counted: 0 }, 60)).toBe(0);
  });

  it('forgets restarts after an hour', () => {
    const memory = new RestartMemory();
    memory.note('a', group(10), 0);
    expect(memory.note('a', group(11), 60)).toBe(1);
    expect(memory.note('a', group(11), 3659)).toBe(1);
    expect(memory.note('a', group(11), 3661)).toBe(0);
  });

  it('keeps at most 1,000 containers, and drops those that are gone for an hour', () => {
    const memory = new RestartMemory();
    memory.note('first', group(1), 0);
    for (let index = 0; index < 1000; index += 1) memory.note(`c${index}`, group(1), 1);
    memory.forget(1);
    expect(memory.note('first', group(2), 2)).toBe(0);
    memory.note('other', group(1), 3600);
    memory.forget(3602);
    expect(memory.note('c1', group(2), 3602)).toBe(0);
    expect(memory.note('other', group(2), 3602)).toBe(1);
  });

  it('is never negative and never more than 200', () => {
    const run = fc.record({
      inode: fc.option(fc.integer({ min: 1, max: 3 })),
      counted: fc.option(fc.integer({ min: 0, max: 2 ** 31 })),
    });
    fc.assert(
      fc.property(fc.array(run, { maxLength: 50 }), (runs) => {
        const memory = new RestartMemory();
        runs.forEach((one, index) => {
          const count = memory.note('a', one, index * 60);
          expect(count).toBeGreaterThanOrEqual(0);
          expect(count).toBeLessThanOrEqual(200);
        });
      }),
    );
  });
});
