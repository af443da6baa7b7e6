import { describe, expect, it } from 'vitest';
import { pressurePart } from '@plimsoll/contract/wire/report';
import { figureKey } from '../collect-readings.ts';
import { Figures } from '../figures.ts';
import { shapePressure } from './shape-pressure.ts';
import type { Value } from '../types.ts';

const AT = 1_795_000_020_000;
const KEYS = { cpu: ['waiting'], memory: ['waiting', 'stalled'], io: ['waiting', 'stalled'] } as const;
const valuesOf = (at: number, total: (resource: string) => number, left: readonly string[] = []): Value[] =>
  Object.entries(KEYS)
    .filter(([resource]) => !left.includes(resource))
    .flatMap(([resource, kinds]) =>
      kinds.map((kind): Value => [figureKey('pressure', resource, kind), total(resource), at]),
    );

describe('pressure of node_exporter', () => {
  it('is the mean of the interval, and no average that it does not send', () => {
    const waited = { cpu: 3, memory: 0, io: 60 } as Record<string, number>;
    const before = valuesOf(AT, () => 100);
    const now = valuesOf(AT + 60_000, (resource) => 100 + (waited[resource] ?? 0));
    const part = shapePressure(new Figures(now, before, []));
    const line = (avg60: number, total: number) => ({ avg10: null, avg60, avg300: null, total_seconds: total });
    expect(part).toEqual({
      cpu: { some: line(5, 103) },
      memory: { some: line(0, 100), full: line(0, 100) },
      io: { some: line(100, 160), full: line(100, 160) },
    });
    expect(pressurePart.parse(part)).toEqual(part);
  });

  it('is unknown, and not 0, in the first interval, after a restart and of a kernel that counts a part', () => {
    const first = shapePressure(
      new Figures(
        valuesOf(AT, () => 100, ['memory', 'io']),
        [],
        [],
      ),
    );
    expect(first).toEqual({
      cpu: { some: { avg10: null, avg60: null, avg300: null, total_seconds: 100 } },
      memory: null,
      io: null,
    });
    const restarted = new Figures(
      valuesOf(AT + 60_000, () => 1),
      valuesOf(AT, () => 100),
      [],
    );
    expect(shapePressure(restarted)?.io?.some.avg60).toBeNull();
    expect(shapePressure(new Figures([], [], []))).toBeUndefined();
  });
});
