import type { DiskForecast } from '@plimsoll/contract/wire/servers';
import { NO_FORECAST_REASONS } from '@plimsoll/contract/rules/host-metrics/disk-forecast';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chosenZone } from '../time/zone.ts';
import { byForecast, forecastWords } from './forecast-words.ts';

const NOW = Date.parse('2026-11-23T03:12:00Z');
const DAY = 86_400_000;
const forecast = (days: number, given: Partial<DiskForecast> = {}): DiskForecast => ({
  mount: '/',
  line: 80,
  reaches_at: new Date(NOW + days * DAY).toISOString(),
  growth_bytes_per_day: 2 * 2 ** 30,
  confidence: 'high',
  based_on_hours: 336,
  reason: null,
  as_of: new Date(NOW - 600_000).toISOString(),
  ...given,
});

beforeAll(() => chosenZone.set('UTC'));
afterAll(() => chosenZone.set(null));

describe('forecastWords', () => {
  it('says when, how fast and how sure', () => {
    const { text, detail } = forecastWords(forecast(6.2), NOW);
    expect(text).toBe('in 6 d');
    expect(detail).toMatch(/^\/ reaches its line of 80 % about .*29.*\. It grows by 2 GB a day\./);
    expect(detail).toContain('Confidence: high, from 14 d of history.');
  });

  it('counts hours where days would hide them', () => {
    const soon = forecastWords(forecast(0.25, { based_on_hours: 6, confidence: 'low' }), NOW);
    expect([soon.text, soon.detail.includes('low, from 6 h of history')]).toEqual(['in 6 h', true]);
  });

  it('names tenths of a day while few days are left, as the alert about the disk does', () => {
    const left = [0.99, 1, 1.04, 2.58, 3.94, 3.96, 4.9].map((days) => forecastWords(forecast(days), NOW).text);
    expect(left).toEqual(['in 23 h', 'in 1 d', 'in 1 d', 'in 2.6 d', 'in 3.9 d', 'in 4 d', 'in 5 d']);
  });

  it('names the hour of a forecast of the next two days, and the day of a later one', () => {
    expect(forecastWords(forecast(1.9), NOW).detail).toMatch(/about 25 Nov 00:48\./);
    expect(forecastWords(forecast(2), NOW).detail).toMatch(/about 25 Nov 2026\./);
  });

  it('counts less than three days of history in hours', () => {
    const historyOf = (hours: number) =>
      /from (.*) of history/.exec(forecastWords(forecast(6, { based_on_hours: hours }), NOW).detail)?.[1];
    expect([71, 71.9, 72, 336].map(historyOf)).toEqual(['71 h', '72 h', '3 d', '14 d']);
  });

  it('leaves out a growth and a history that the API does not send: neither is nought', () => {
    const { detail } = forecastWords(forecast(6, { growth_bytes_per_day: null, based_on_hours: null }), NOW);
    expect(detail).toContain('29 Nov 2026. Confidence: high. Last use:');
    expect(detail).not.toMatch(/grows|history|\b0\b/);
  });

  it('gives the reason where there is no forecast', () => {
    for (const reason of NO_FORECAST_REASONS) {
      const words = forecastWords(forecast(1, { reaches_at: null, reason }), NOW);
      expect(words.text).toBeNull();
      expect(words.reason).toMatch(/^[a-z ]+$/);
      expect(words.detail).toMatch(/^\/: .+\.$/);
    }
    expect(forecastWords(null, NOW)).toMatchObject({ text: null, reason: 'too little history' });
  });

  it('orders the soonest first and the unknown last', () => {
    const none = forecast(1, { reaches_at: null, reason: 'not_growing' });
    expect([none, forecast(9), null, forecast(2)].toSorted(byForecast).map((each) => each?.reaches_at ?? null)).toEqual(
      [forecast(2).reaches_at, forecast(9).reaches_at, null, null],
    );
  });
});
