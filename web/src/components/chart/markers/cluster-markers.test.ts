import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { clusterSpan, clusterMarkers } from './cluster-markers.ts';
import type { ChartMarker } from './cluster-markers.ts';
import { chosenZone } from '../../../time/zone.ts';

const event = (from: number, count?: number): ChartMarker => ({
  id: `e${from}`,
  from,
  to: null,
  tone: 'event',
  words: `event at ${from}`,
  ...(count === undefined ? {} : { count }),
});
const alert = (from: number, tone: ChartMarker['tone']): ChartMarker => ({
  id: `a${from}`,
  from,
  to: from + 600,
  tone,
  words: 'CPU above 80 %',
});

beforeAll(() => chosenZone.set('UTC'));

describe('marks below a chart', () => {
  it('stand alone where there is room, with their own words', () => {
    const groups = clusterMarkers([event(40), event(20)], (at) => at);
    expect(groups.map(({ x, words, count }) => [x, words, count])).toEqual([
      [20, 'event at 20', 1],
      [40, 'event at 40', 1],
    ]);
  });

  it('become one with a count where they would lie on each other, and keep room for the number', () => {
    const six = [0, 60, 120, 300, 360, 480].map((at) => event(at));
    const [group, ...rest] = clusterMarkers([...six, event(6000)], (at) => at / 30);
    expect(rest).toHaveLength(1);
    expect(group).toMatchObject({ count: 6, words: '6 events, 1 Jan 00:00–00:08', tone: 'event', x: 0 });
    expect(clusterSpan(group!)).toEqual({ from: 0, to: 480 });
  });

  it('say what they hold, in the tone of the worst', () => {
    const [group] = clusterMarkers([event(0), alert(10, 'near'), alert(12, 'over'), event(20)], () => 5);
    expect(group).toMatchObject({ count: 4, tone: 'over', words: '2 alerts and 2 events, 1 Jan 00:00' });
  });

  it('count what one mark already stands for', () => {
    const [group] = clusterMarkers([event(0, 40), event(60)], () => 0);
    expect(group).toMatchObject({ count: 41, words: '41 events, 1 Jan 00:00–00:01' });
  });

  it('name the day of a time that is not of today, once where it is the same day', () => {
    const day = 86_400;
    const noon = Math.floor(Date.now() / 1000 / day) * day + day / 2;
    const wordsOf = (...times: number[]) =>
      clusterMarkers(
        times.map((at) => event(at)),
        () => 0,
      )[0]?.words;
    expect(wordsOf(noon, noon + 600)).toBe('2 events, 12:00–12:10');
    expect(wordsOf(noon, noon + 20)).toBe('2 events, 12:00');
    // The same time of two days is not one time.
    expect(wordsOf(0, day)).toBe('2 events, 1 Jan 00:00–2 Jan 00:00');
    expect(wordsOf(day - 60, day + 60)).toBe('2 events, 1 Jan 23:59–2 Jan 00:01');
  });

  it('leave more room for a mark that has its count beside it', () => {
    const places = (...times: number[]) =>
      clusterMarkers(
        times.map((at) => event(at)),
        (at) => at,
      ).map(({ count }) => count);
    expect(places(0, 11)).toEqual([2]);
    expect(places(0, 12)).toEqual([1, 1]);
    expect(places(0, 1, 29)).toEqual([3]);
    expect(places(0, 1, 30)).toEqual([2, 1]);
  });

  it('are all kept, apart from each other, whatever there is', () => {
    const some = fc.array(fc.integer({ min: 0, max: 86_400 }), { maxLength: 200 });
    fc.assert(
      fc.property(some, (times) => {
        const groups = clusterMarkers(
          times.map((at) => event(at)),
          (at) => at / 100,
        );
        expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(times.length);
        const tooClose = groups.slice(1).filter(({ x }, index) => {
          const before = groups[index];
          return before !== undefined && x - before.x < (before.count > 1 ? 30 : 12);
        });
        expect(tooClose).toEqual([]);
      }),
    );
  });
});
