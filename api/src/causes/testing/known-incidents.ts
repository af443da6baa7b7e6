import { expect, it } from 'vitest';
import { explain } from '../explain.ts';
import { evidenceOf } from './incident-evidence.ts';
import { at, minutes, noise, type Incident } from './incident.ts';
import { dayWave, type soundServer } from './sound-server.ts';
import { wordsOf } from './words-of.ts';

/** Incidents of each class of causes that an operator meets, on a machine that is sound apart from it. */

export const NOW = at('2026-11-20 14:20');
export const MB = 2 ** 20;
export type ChangedServer = Parameters<typeof soundServer>[2];
/** The mechanism and the words that make an answer right. */
export type Known = readonly [title: string, kind: string, words: RegExp, incident: Incident];

export const wave =
  (low: number, high: number, size: number) =>
  (t: number): number =>
    low + (high - low) * dayWave(NOW, t) + noise(t, size);
/** The usual wave until `from` minutes ago, and then something else. */
export const until = (from: number, usual: (t: number) => number, then: (t: number) => number | null, step = 5) =>
  minutes(NOW, 168, (t) => (t < -from ? usual(t) : then(t)), step);
export const CPU = wave(12, 34, 3);

/** Tests that the first cause of each is the right one. */
export const namesTheCauses = (known: readonly Known[]): void =>
  it.each(known)('names the cause of %s', (_title, kind, words, recorded) => {
    const { causes, ruled_out: others } = explain(evidenceOf(recorded));
    const shown = wordsOf(causes[0]);
    expect([causes[0]?.mechanism, shown, others.map(({ text }) => text)]).toEqual([
      kind,
      expect.stringMatching(words),
      expect.anything(),
    ]);
  });
