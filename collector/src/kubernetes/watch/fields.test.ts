import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, labelsOf, required, seconds, wholeNumber } from './fields.ts';

describe('readers of fields', () => {
  it.each([
    ['2026-01-01T00:00:00Z', 1_767_225_600],
    ['2026-01-01T00:00:00.123456Z', 1_767_225_600.123],
    ['2026-01-01T01:00:00+01:00', 1_767_225_600],
    ['1969-12-31T23:59:59Z', null],
    ['+200000-01-01T00:00:00Z', null],
    ['yesterday', null],
    ['', null],
    [1_767_225_600, null],
    [null, null],
    [undefined, null],
  ])('the time %j is %j', (value, epoch) => {
    expect(seconds(value)).toBe(epoch);
  });

  it('a text comes out storable, whatever it held', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.integer({ min: 1, max: 60 }), (text, most) => {
        const clipped = clip(text, most);
        expect(clipped === null).toBe(text === '');
        expect(clipped?.includes('\0') ?? false).toBe(false);
        expect((clipped ?? '').isWellFormed() && (clipped ?? '').length <= most).toBe(true);
      }),
    );
    expect([clip(7), clip(null), clip({}), clip('x'.repeat(2000))?.length]).toEqual([null, null, null, 1024]);
  });

  it('a text is cut between two characters', () => {
    expect([clip('ab🚀', 3), clip('ab🚀', 4), clip('ab🚀c', 4), clip('🚀🚀', 3)]).toEqual(['ab', 'ab🚀', 'ab🚀', '🚀']);
  });

  it('a field that must be there is named when it is not', () => {
    expect(required('a', 'metadata.uid')).toBe('a');
    for (const missing of ['', null, undefined, 7])
      expect(() => required(missing, 'metadata.uid')).toThrow('metadata.uid is missing');
  });

  it('labels are texts, bounded in number and length, whatever stands there', () => {
    expect(labelsOf({ app: 'web', odd: 7, none: null, '': 'x' }, 10)).toEqual({
      app: 'web',
      odd: '',
      none: '',
      '': 'x',
    });
    expect(Object.keys(labelsOf({ a: '1', b: '2', c: '3' }, 2))).toEqual(['a', 'b']);
    expect(labelsOf({ ['k'.repeat(500)]: 'v'.repeat(500) }, 1)).toEqual({ ['k'.repeat(317)]: 'v'.repeat(63) });
    for (const none of [null, undefined, 'text', 7]) expect(labelsOf(none, 5)).toEqual({});
  });

  it('a label that is named like a part of every object is a label', () => {
    const labels = labelsOf(JSON.parse('{"__proto__":"x","constructor":"y"}'), 5);
    expect(new Map(Object.entries(labels))).toEqual(
      new Map([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    );
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it.each([
    [110, 110],
    [2.9, 2],
    [0, 0],
    [-1, null],
    [2_147_483_647, 2_147_483_647],
    [2_147_483_648, null],
    [Number.NaN, null],
    ['110', null],
    [undefined, null],
  ])('the number %j is %j', (value, number) => {
    expect(wholeNumber(value)).toBe(number);
  });
});
