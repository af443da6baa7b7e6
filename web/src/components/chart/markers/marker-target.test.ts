import { expect, it } from 'vitest';
import { EARLIER } from './event-markers.ts';
import { markerTarget, stretchOf } from './marker-target.ts';
import { clusterMarkers } from './cluster-markers.ts';
import type { ChartMarker } from './cluster-markers.ts';

const mark = (from: number, parts: Partial<ChartMarker> = {}): ChartMarker => ({
  id: `m${from}`,
  from,
  to: null,
  tone: 'event',
  words: '',
  ...parts,
});
const together = (...marks: ChartMarker[]) => clusterMarkers(marks, () => 0)[0]!;

it('leads from an alert to the alert, from an event to what ran then', () => {
  expect(markerTarget(together(mark(1000.4, { tone: 'near', to: 9000 })))).toEqual({ kind: 'alert', id: 'm1000.4' });
  expect(markerTarget(together(mark(1000.4)))).toEqual({ kind: 'moment', at: 1001 });
});

it('reads several within a quarter of an hour in one list, and sets apart what lies wider', () => {
  expect(markerTarget(together(mark(1000), mark(1900, { tone: 'over', to: 90_000 })))).toEqual({
    kind: 'moment',
    at: 1900,
  });
  expect(markerTarget(together(mark(1000), mark(2000)))).toEqual({ kind: 'range', from: 900, to: 2100 });
  expect(stretchOf(together(mark(1000)))).toEqual({ from: 970, to: 1030 });
});

it('goes into the stretch of what was only counted', () => {
  const group = together(mark(1000, { id: EARLIER, to: 3000, count: 12 }));
  expect(markerTarget(group)).toEqual({ kind: 'range', from: 800, to: 3200 });
});
