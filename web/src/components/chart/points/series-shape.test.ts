import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TimeseriesPoint } from '@plimsoll/contract/wire/metrics';
import {
  bandPoints,
  chartGap,
  chartGaps,
  connectionSeries,
  lackingOf,
  overSince,
  peakOf,
  ratePoints,
  rateTick,
  rateTop,
  spanText,
} from './series-shape.ts';
import { chosenZone } from '../../../time/zone.ts';

const points = (...values: (number | null)[]) => values.map((avg, index) => ({ at: index * 60, avg }));

describe('shaping', () => {
  beforeEach(() => chosenZone.set('UTC'));
  afterEach(() => chosenZone.set(null));

  it('takes one metric with its band', () => {
    const band = { avg: 2, min: 1, max: 3 };
    const point = { timestamp: 60, bands: { cpu: band } } as TimeseriesPoint;
    expect(bandPoints([point], 'cpu')).toEqual([{ at: 60, ...band }]);
  });

  it('turns bytes into MB/s and keeps the unknown', () => {
    const point = { timestamp: 1, inbound_bytes_per_sec: 2_097_152, inbound_min: null, inbound_max: 4_194_304 };
    expect(ratePoints([point as never], 'inbound')).toEqual([{ at: 1, avg: 2, min: null, max: 4 }]);
  });

  it.each([
    [0.0004, ['0', '0.005', '0.01', '0.015', '0.02']],
    [0.03, ['0', '0.01', '0.02', '0.03', '0.04']],
    [0.25, ['0', '0.0625', '0.125', '0.1875', '0.25']],
    [5, ['0', '1.25', '2.5', '3.75', '5']],
    [37, ['0', '10', '20', '30', '40']],
  ])('tells the ticks of rates up to %d MB/s apart', (rate, names) => {
    const top = rateTop([points(null, rate)]);
    expect([0, 1, 2, 3, 4].map((step) => rateTick((top * step) / 4))).toEqual(names);
  });

  it('names a gap by its times and its reason', () => {
    const gap = { server_id: 's', from: 24_060, to: 28_320, reason: 'host_off' as const, detail: '' };
    expect(chartGap(gap)).toMatchObject({
      label: 'no reports 06:41–07:52, host off',
      shortLabel: 'no reports 06:41–07:52',
      words: 'No reports 06:41–07:52 (host off)',
    });
  });

  it('names the days of a gap in a range of more than a day', () => {
    const gap = { server_id: 's', from: 24_060, to: 28_320, reason: 'link_lost' as const, detail: '' };
    const labels = (to: number) => chartGaps({ from: 0, to, gaps: [gap] }).map(({ shortLabel }) => shortLabel);
    expect(labels(86_400)).toEqual(['no reports 06:41–07:52']);
    expect(labels(604_800)).toEqual(['no reports 1 Jan 06:41–1 Jan 07:52']);
  });
});

describe('what a series says', () => {
  it('finds its peak', () => {
    expect(
      peakOf([
        { at: 0, avg: 10, max: 97 },
        { at: 60, avg: 50 },
      ]),
    ).toEqual({ value: 97, at: 0 });
    expect(peakOf(points(null))).toBeNull();
  });

  it('finds since when it is over', () => {
    expect(overSince(points(90, 70, 85, null, 86), 80)).toBe(120);
    expect(overSince(points(90, 70), 80)).toBeNull();
    expect(overSince([], 80)).toBeNull();
  });
});

describe('the edges of a series', () => {
  it('has its first peak of several as high', () => {
    expect(peakOf(points(10, 97, 20, 97))).toEqual({ value: 97, at: 60 });
    expect(peakOf(points(0, null))).toEqual({ value: 0, at: 0 });
  });

  it('is over at its line, as the rule that fires there', () => {
    expect(overSince(points(70, 80, 79.9), 80)).toBeNull();
    expect(overSince(points(70, 80, 85), 80)).toBe(60);
  });

  it('says what a bucket lacks, and nothing of one that nobody reported in', () => {
    const of = (reported: number | null, installed: number | null) =>
      lackingOf({ servers_reported: reported, servers_installed: installed });
    expect(of(31, 36)).toEqual({ lacking: '31 of 36 reported' });
    expect([of(36, 36), of(37, 36), of(0, 36), of(null, 36), of(31, null)]).toEqual([{}, {}, {}, {}, {}]);
  });

  it('names the days of a stretch that lasts longer than one, in a shorter range, too', () => {
    chosenZone.set('UTC');
    expect(spanText(0, 3600)).toBe('00:00–01:00');
    expect(spanText(0, 90_000)).toBe('00:00–01:00');
    expect(spanText(0, 90_001, 3600)).toBe('1 Jan 00:00–2 Jan 01:00');
    chosenZone.set(null);
  });

  it('keeps a count of connections that is not known unknown', () => {
    const point = { timestamp: 60, connections_established: 12, connections_listen: 0, connections_time_wait: null };
    const series = connectionSeries([point as never]);
    const known = series.slice(0, 3).map(({ label, points: [first] }) => [label, first?.avg]);
    expect(known).toEqual([
      ['Established', 12],
      ['Listen', 0],
      ['Time wait', null],
    ]);
  });
});
