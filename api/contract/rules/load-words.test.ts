import { describe, expect, it } from 'vitest';
import { distanceSentence, distanceText, headroomText, meterLabel } from './load-words.ts';

describe('headroom in words', () => {
  it.each([
    [-11.4, '11 over', '11 over the line'],
    [-0.4, '0.4 over', '0.4 over the line'],
    [-0.01, '0.1 over', '0.1 over the line'],
    [0, 'at the line', 'at the line'],
    [0.6, '0.6 below', '0.6 below the line'],
    [4, '4 below', '4 below the line'],
  ])('%d points', (points, short, long) => {
    expect(distanceText(points)).toBe(short);
    expect(distanceSentence(points)).toBe(long);
  });

  it('names the resource', () => {
    expect(headroomText({ resource: 'io_wait', points: -5, value: 15, line: 10, subject: null })).toBe(
      'IO wait · 5 over',
    );
  });

  it('labels a meter', () => {
    expect(meterLabel('CPU', 91.4, 80)).toBe('CPU 91 %, 11 over the line');
    expect(meterLabel('IOPS', 40, null)).toBe('IOPS 40 %');
  });
});
