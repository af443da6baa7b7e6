import { expect, it } from 'vitest';
import { periodOf } from './period.ts';
import { wordsOf } from './words.ts';

const seconds = (time: string): number => Date.parse(`2026-${time}:00Z`) / 1000;
/** A Sunday. */
const NOW = seconds('11-29T16:20');
const periodIn = (question: string, now = NOW) => periodOf(wordsOf(question), now);

it.each([
  ['cpu today', '11-29T00:00', '11-29T16:20'],
  ['cpu yesterday', '11-28T00:00', '11-29T00:00'],
  ['CPU gestern', '11-28T00:00', '11-29T00:00'],
  ['what happened last night', '11-28T20:00', '11-29T06:00'],
  ['last night at 3', '11-29T02:30', '11-29T03:30'],
  ['last night at 11', '11-28T22:30', '11-28T23:30'],
  ['alerts this morning', '11-29T06:00', '11-29T12:00'],
  ['cpu yesterday evening', '11-28T18:00', '11-29T00:00'],
  ['yesterday at 14:00', '11-28T13:30', '11-28T14:30'],
  ['cpu at 3 pm', '11-29T14:30', '11-29T15:30'],
  // Five in the evening has not come yet today.
  ['cpu at 17:00', '11-28T16:30', '11-28T17:30'],
  ['cpu at 12 am', '11-28T23:30', '11-29T00:30'],
  ['between 2 and 3 am', '11-29T02:00', '11-29T03:00'],
  ['between 1 and 3 pm', '11-29T13:00', '11-29T15:00'],
  ['between 23:00 and 1:00', '11-28T23:00', '11-29T01:00'],
  ['from 10:00 to 12:00', '11-29T10:00', '11-29T12:00'],
  ['alerts since 8am', '11-29T08:00', '11-29T16:20'],
  ['alerts since yesterday', '11-28T00:00', '11-29T16:20'],
  ['cpu since monday', '11-23T00:00', '11-29T16:20'],
  ['cpu on monday', '11-23T00:00', '11-24T00:00'],
  ['cpu last sunday', '11-22T00:00', '11-23T00:00'],
  ['cpu 3 days ago', '11-26T00:00', '11-27T00:00'],
  ['cpu 2 hours ago', '11-29T13:50', '11-29T14:50'],
  ['cpu on 24 november', '11-24T00:00', '11-25T00:00'],
  ['cpu on the 24th of november', '11-24T00:00', '11-25T00:00'],
  ['CPU am 24.11.2026', '11-24T00:00', '11-25T00:00'],
  ['cpu on november 24th', '11-24T00:00', '11-25T00:00'],
  ['cpu on 2026-11-25', '11-25T00:00', '11-26T00:00'],
  ['alerts this week', '11-23T00:00', '11-29T16:20'],
  ['alerts this month', '11-01T00:00', '11-29T16:20'],
])('%s', (question, from, to) => {
  expect(periodIn(question)).toMatchObject({ minutes: null, from: seconds(from), to: seconds(to) });
});

it.each([
  ['cpu over the last 6 hours', 360],
  ['cpu 24h', 1440],
  ['memory past day', 1440],
  ['alerts last week', 10_080],
  ['last 90 days', 129_600],
  ['for 15 minutes', 15],
])('%s ends now', (question, minutes) => {
  expect(periodIn(question)).toMatchObject({ minutes, from: NOW - minutes * 60, to: NOW });
});

it.each([
  'cpu',
  'cpu next week',
  'cpu in 5 minutes',
  'cpu tomorrow',
  'web-1 at 80 percent',
  'since when is it down',
  'min cpu',
  'top 5 at work',
])('%s names no time that is over', (question) => {
  expect(periodIn(question)).toBeNull();
});

it('takes no word of the time for another thing', () => {
  const words = wordsOf('load over the last 6 hours');
  const read = periodOf(words, NOW)?.read ?? new Set<number>();
  expect(words.filter((_word, index) => !read.has(index))).toEqual(['load']);
});

it('a date of December is the one that is over', () => {
  expect(periodIn('24 december')).toMatchObject({ from: Date.UTC(2025, 11, 24) / 1000 });
});
