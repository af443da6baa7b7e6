import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandOf, byHeadroom, headroomBand, headroomOf, nearPointsOf } from './headroom.ts';
import type { LoadLines } from '../wire/servers.ts';

const lines: LoadLines = {
  cpu: { warning: 80, critical: 95 },
  memory: { warning: 80, critical: 95 },
  disk: { warning: 80, critical: 90 },
  io_wait: { warning: 10, critical: null },
};
const percent = fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: null });

describe('headroomOf', () => {
  it('gives the resource nearest its line', () => {
    expect(headroomOf(lines, { cpu: 91, memory: 68, disk: 57 })).toEqual({
      resource: 'cpu',
      points: -11,
      value: 91,
      line: 80,
      subject: null,
    });
    expect(headroomOf(lines, { cpu: 29, memory: 63, disk: 76, diskMount: '/srv' })).toMatchObject({
      resource: 'disk',
      points: 4,
      subject: '/srv',
    });
  });

  it('follows a moved line', () => {
    const moved = { ...lines, memory: { warning: 65, critical: 95 } };
    expect(headroomOf(moved, { cpu: 50, memory: 58, disk: 20 })).toMatchObject({ resource: 'memory', points: 7 });
  });

  it('counts IO wait only once it is over its line', () => {
    expect(headroomOf(lines, { cpu: 40, io_wait: 9 })).toMatchObject({ resource: 'cpu', points: 40 });
    expect(headroomOf(lines, { cpu: 40, io_wait: 15 })).toMatchObject({ resource: 'io_wait', points: -5 });
    expect(headroomOf(lines, { cpu: 40, io_wait: 10 })).toMatchObject({ resource: 'io_wait', points: 0 });
  });

  it('is null when nothing is known', () => {
    expect(headroomOf(lines, {})).toBeNull();
    expect(headroomOf(lines, { cpu: null, memory: Number.NaN, disk: null, io_wait: null })).toBeNull();
  });

  it('is never more than the distance of any known resource', () => {
    fc.assert(
      fc.property(percent, percent, percent, percent, (cpu, memory, disk, io_wait) => {
        const found = headroomOf(lines, { cpu, memory, disk, io_wait });
        for (const [resource, value] of Object.entries({ cpu, memory, disk })) {
          if (value === null) continue;
          expect(found).not.toBeNull();
          expect(found!.points).toBeLessThanOrEqual(lines[resource as 'cpu'].warning - value);
        }
      }),
    );
  });
});

describe('bands', () => {
  it.each([
    [59.9, 80, 'ok'],
    [60, 80, 'near'],
    [79.9, 80, 'near'],
    [80, 80, 'over'],
    [70, 90, 'near'],
    [45, 65, 'near'],
    [44, 65, 'ok'],
  ])('%d against a line at %d is %s', (value, line, band) => expect(bandOf(value, line)).toBe(band));

  it('takes IO wait as near from half its line', () => {
    const near = nearPointsOf('io_wait', 10);
    expect([4.9, 5, 10].map((value) => bandOf(value, 10, near))).toEqual(['ok', 'near', 'over']);
  });

  it('counts a headroom of exactly 20 points as near', () => {
    expect(headroomBand(headroomOf(lines, { cpu: 60 })!)).toBe('near');
  });
});

describe('byHeadroom', () => {
  it('puts the least headroom first and the unknown last', () => {
    const of = (cpu: number | null) => ({ cpu, headroom: headroomOf(lines, { cpu }) });
    const sorted = [of(null), of(10), of(95), of(70)].toSorted(byHeadroom);
    expect(sorted.map((each) => each.cpu)).toEqual([95, 70, 10, null]);
  });
});
