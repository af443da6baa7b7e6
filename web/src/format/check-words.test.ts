import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  availabilityWords,
  certificateBand,
  certificateLeft,
  kindWord,
  reasonWords,
  statusWord,
} from './check-words.ts';
import { durationText, readDuration } from './duration-text.ts';

describe('why a probe was not good', () => {
  it('is the status of the answer where there is one', () => {
    expect(reasonWords('status_unexpected', 502)).toBe('HTTP 502');
    expect(reasonWords('status_unexpected')).toBe('unexpected status');
    expect(reasonWords('text_missing', 200)).toBe('expected text missing');
  });

  it('names the phase of a timeout, and of nothing else', () => {
    expect(reasonWords('timeout', null, 'wait')).toBe('timeout in Wait');
    expect(reasonWords('timeout', null, 'queue')).toBe('timeout in queue');
    expect(reasonWords('timeout')).toBe('timeout');
    expect(reasonWords('reset', null, 'tls')).toBe('connection closed without an answer');
  });

  it('of a newer API is shown in its words', () => {
    expect(reasonWords('dnssec_not_valid')).toBe('dnssec not valid');
    expect(reasonWords('dnssec_not_valid', 502, 'dns')).toBe('dnssec not valid');
    expect(reasonWords('constructor')).toBe('constructor');
    expect(reasonWords('timeout', null, 'constructor')).toBe('timeout in constructor');
    expect(reasonWords(null)).toBe('failed');
  });
});

it('has a certificate near its line at 21 days and over it at 7, as the default rule', () => {
  expect([null, 22, 21, 8, 7, 0, -3].map(certificateBand)).toEqual([
    'ok',
    'ok',
    'near',
    'near',
    'over',
    'over',
    'over',
  ]);
});

describe('an interval', () => {
  it.each([
    [0, '0 s'],
    [20, '20 s'],
    [60, '1 min'],
    [90, '90 s'],
    [120, '2 min'],
    [300, '5 min'],
    [3600, '1 h'],
    [5400, '90 min'],
    [86_400, '1 d'],
    [90_000, '25 h'],
    [604_800, '7 d'],
  ])('of %d seconds is written as %s', (seconds, text) => expect(durationText(seconds)).toBe(text));

  it('is what a form reads back from its words', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 31_536_000 }), (seconds) => {
        expect(readDuration(durationText(seconds))).toBe(seconds);
      }),
    );
  });
});

it('has a word for each status and kind', () => {
  expect((['up', 'down', 'unknown', 'paused'] as const).map(statusWord)).toEqual(['Up', 'Down', 'Unknown', 'Paused']);
  expect((['http', 'dns', 'heartbeat'] as const).map(kindWord)).toEqual(['HTTP', 'DNS', 'Heartbeat']);
});

it('counts the days that a certificate has left, and none of one that was not read', () => {
  expect([58, 1, 0, -1, null].map(certificateLeft)).toEqual([
    '58 days left',
    '1 day left',
    '0 days left',
    'ended',
    undefined,
  ]);
});

describe('what stands behind an availability', () => {
  const found = { days: 1, percent: 99.9, down_seconds: 0, unknown_seconds: 0, maintenance_seconds: 0 };
  const words = (given: Partial<typeof found> | { percent: null }) => availabilityWords({ ...found, ...given });

  it('is the outage, and the time that does not count', () => {
    expect(words({})).toBe('no outage');
    expect(words({ down_seconds: 90 })).toBe('down 1 min');
    expect(words({ unknown_seconds: 119 })).toBe('no outage');
    expect(words({ down_seconds: 90, unknown_seconds: 120 })).toBe('down 1 min, unknown 2 min, not counted');
  });

  it('is nothing while nothing is known: that is not a time without an outage', () => {
    expect(words({ percent: null })).toBeUndefined();
    expect(availabilityWords(undefined)).toBeUndefined();
  });
});
