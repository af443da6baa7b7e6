import { afterEach, describe, expect, it } from 'vitest';
import { originText, takenOverText } from './usage-origin.ts';
import { chosenZone } from '../../time/zone.ts';

describe('where a figure of a cluster comes from', () => {
  it.each([
    ['metrics-server', 20, 'metrics-server, 20 s old'],
    ['node-agent', 130, 'node agent, 2 min old'],
    ['prometheus', null, 'Prometheus'],
    [null, null, null],
  ] as const)('says %s', (source, age, words) => {
    expect(originText({ source, age_seconds: age, reason: null })).toBe(words);
  });
});

describe('what was taken over', () => {
  afterEach(() => chosenZone.set(null));
  const from = Date.UTC(2026, 10, 19, 6, 0) / 1000;
  const points = (count: number, taken: number) =>
    Array.from({ length: count }, (_, index) => ({
      timestamp: from + index * 300,
      ...(index < taken ? { source: 'prometheus' as const } : {}),
    }));

  it('says its stretch, to the end of its last bucket', () => {
    chosenZone.set('UTC');
    expect(takenOverText(points(24, 12), 300)).toBe('Prometheus 06:00–07:00');
    expect(takenOverText(points(24, 1), 300)).toBe('Prometheus 06:00–06:05');
  });

  it('says nothing where our own collectors measured all of it', () => {
    expect(takenOverText(points(24, 0), 300)).toBeNull();
    expect(takenOverText([], 300)).toBeNull();
  });
});
