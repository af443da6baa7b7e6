import { expect, it } from 'vitest';
import { ofMount } from './servers.ts';

const at = (values: readonly (number | null)[]) => values.map((value, index) => ({ at: index, value }));
const mounted = (percents: Readonly<Record<string, number | null>>) =>
  Object.entries(percents).map(([mount, usedPercent]) => ({ mount, usedPercent, inodesPercent: null }));

it('keeps of the series of the fullest filesystem only what must be of the mount of the alert', () => {
  const series = at([79, 79, null, 79.4, 96]);
  // The 79 % are those of /, which has them still.
  expect(ofMount(series, '/srv', mounted({ '/': 79, '/srv': 96 }))).toEqual(at([null, null, null, null, 96]));
  expect(ofMount(series, '/srv', mounted({ '/': 30, '/srv': 96, '/boot': null }))).toEqual(series);
  // Another one is fuller: nothing is known of this one.
  expect(ofMount(series, '/srv', mounted({ '/': 97, '/srv': 85 }))).toEqual(at([null, null, null, null, null]));
  expect(ofMount(series, '/srv', mounted({ '/srv': 96 }))).toEqual(series);
  for (const subject of [null, '/gone']) expect(ofMount(series, subject, mounted({ '/': 97 }))).toEqual(series);
});
