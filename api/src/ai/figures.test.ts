import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkFigures, factsOf, withoutMarked, MARK } from './figures.ts';

const results = [
  {
    total: 31,
    servers: [{ hostname: 'web-01', headroom: { points: -6.4, value: 86.4, line: 80 }, total_memory_gb: 15.62 }],
    latest: { memory_usage: { value: 83.27, reason: null }, memory_used_bytes: 13_958_643_712 },
    uptime_seconds: 183_600,
    at: '2026-11-23T03:12:40.000Z',
  },
];
const facts = factsOf(results, 'What happened in the last 45 minutes?');
const unmatched = (text: string) => checkFigures(text, facts).unmatched;

describe('figures that the tools returned', () => {
  it.each([
    'CPU of web-01 is at 86.4 %, 6.4 points over its line of 80 %.',
    'Memory is at 83 %.',
    'Memory is at 83.3%, which is 13 GB.',
    'It uses 13,312 MB.',
    'It has been up for 51 hours, that is 2.1 days.',
    'I looked at 31 servers over the last 45 minutes.',
    'At 03:12 on 2026-11-23 it began.',
    '1. One server\n2. No other',
    'Run `df -h 99` and see [the page](/servers/1?from=77).',
    'web-01 is the only one.',
  ])('%s', (text) => expect(unmatched(text)).toEqual([]));
});

describe('figures that no tool returned', () => {
  it.each([
    ['CPU is at 97 %.', ['97 %']],
    ['Memory is at 83.9 %.', ['83.9 %']],
    ['There are 12 servers.', ['12']],
    ['It began at 04:55.', ['04:55']],
    ['It uses 14 GB.', ['14 GB']],
    ['It has been up for 3 days.', ['3 days']],
  ])('%s', (text, expected) => expect(unmatched(text)).toEqual(expected));

  it('are marked where they stand', () => {
    expect(checkFigures('CPU is at 97 %, memory at 83 %.', facts).text).toBe(`CPU is at 97 %${MARK}, memory at 83 %.`);
  });
});

it('knows every figure of its own results, however it is rounded', () => {
  const value = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(value, fc.integer({ min: 0, max: 3 }), (figure, decimals) => {
      const known = factsOf([{ cpu_usage: figure }]);
      expect(checkFigures(`It is ${figure.toFixed(decimals)} % now`, known).unmatched).toEqual([]);
    }),
  );
});

it('takes a text of any kind in linear time, and marks never inside a figure', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 500, unit: 'binary' }), (text) => {
      const checked = checkFigures(text, factsOf([]));
      expect(checked.text.replaceAll(MARK, '')).toBe(text.replaceAll(MARK, ''));
    }),
  );
});

it('does not learn figures that an earlier answer could not verify', () => {
  const earlier = checkFigures('web-01 is at 99 % since 03:14, with 1,234 requests and 7 pods', factsOf([{ pods: 7 }]));
  const facts = factsOf([], withoutMarked(earlier.text));
  const again = checkFigures('It is 99 % since 03:14, 1,234 requests, 7 pods', facts);
  expect(again.unmatched).toEqual(['99 %', '1,234', '03:14']);
});
