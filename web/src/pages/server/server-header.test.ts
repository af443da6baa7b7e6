import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import { sinceText } from './server-header.tsx';
import { chosenZone } from '../../time/zone.ts';

const points = (...values: number[]) =>
  values.map(
    (avg, index) => ({ timestamp: index * 600, bands: { cpu: { avg, min: avg, max: avg } } }) as TimeseriesPoint,
  );
const headroom = (value: number) => ({ resource: 'cpu' as const, value, line: 80, points: 80 - value, subject: null });

describe('sinceText', () => {
  beforeEach(() => chosenZone.set('UTC'));
  afterEach(() => chosenZone.set(null));

  it('says since when a resource is over', () => {
    expect(sinceText(headroom(91), points(70, 85, 91), 1_680_000)).toBe('since 00:10, 18 min');
  });

  it('says the highest moment of one below', () => {
    expect(sinceText(headroom(60), points(70, 60), 0)).toBe('highest in this range 70.0 % at 00:00');
  });

  it('is silent without history', () => expect(sinceText(headroom(60), [], 0)).toBeNull());
});
