import { describe, expect, it } from 'vitest';
import { CLOSE_WAIT_BANDS, countBand, importanceName, TIME_WAIT_BANDS } from './connection-words.ts';

describe('connection counts', () => {
  it.each([
    [1000, 'ok'],
    [1001, 'near'],
    [2000, 'near'],
    [2001, 'over'],
    [null, 'ok'],
  ])('%s in time-wait is %s', (count, band) => expect(countBand(count, TIME_WAIT_BANDS)).toBe(band));

  it.each([
    [50, 'ok'],
    [51, 'near'],
    [100, 'near'],
    [101, 'over'],
  ])('%s in close-wait is %s', (count, band) => expect(countBand(count, CLOSE_WAIT_BANDS)).toBe(band));
});

it.each([
  [100, 'High'],
  [80, 'High'],
  [79, 'Medium'],
  [50, 'Medium'],
  [49, 'Low'],
])('an importance of %d is %s', (score, name) => expect(importanceName(score)).toBe(name));
