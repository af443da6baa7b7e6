import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exampleAnswer, exampleCause } from '../testing/cause.ts';
import { boundAnswer } from './bound-answer.ts';
import { emptyEvidence, type LineSeen } from './evidence.ts';
import { findingsOf, markQuotes, saidIn } from './quotes.ts';

const line = (text: string): LineSeen => ({
  at: 0,
  kind: 'journal_error',
  text,
  count: 1,
  subject: null,
  serverId: null,
  clusterId: null,
  namespace: null,
  pod: null,
});
const said = (...texts: string[]): string[] => saidIn({ ...emptyEvidence(0), lines: texts.map(line) });
const marked = (texts: readonly string[], words: readonly string[]): (boolean | undefined)[] => {
  const evidence = texts.map((text) => ({ text, at: null, href: null }));
  const { causes } = markQuotes(exampleAnswer({ causes: [exampleCause({ evidence })] }), words);
  return (causes[0]?.evidence ?? []).map(({ is_quote: isQuote }) => isQuote);
};

test('evidence that repeats a log line or its beginning is marked, and no other', () => {
  const long = `connect ECONNREFUSED 10.0.0.3:8081 ${'x'.repeat(400)}`;
  const words = said('password authentication failed for user "shop"', long);
  expect(
    marked(
      [
        'It said: password authentication failed for user "shop"',
        long.slice(0, 100),
        'The password of shop changed',
        '3 pods restart',
      ],
      words,
    ),
  ).toEqual([true, true, false, false]);
});

test('a finding for a channel has no word of a program, the longest of them first', () => {
  const words = said('disk failure', 'disk failure on sda: sector 4711', 'short');
  const causes = [exampleCause({ finding: 'db-1 reports "disk failure on sda: sector 4711".' }), exampleCause()];
  expect(findingsOf(exampleAnswer({ causes }), words)).toEqual(['db-1 reports "…".', exampleCause().finding]);
});

test('no text that a program said reaches a finding for a channel, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 8 }), fc.string(), fc.string(), (words, before, after) => {
      const texts = said(words);
      const finding = `${before}${words.trim()}${after}`;
      const [shown = ''] = findingsOf(exampleAnswer({ causes: [exampleCause({ finding })] }), texts);
      for (const text of texts) expect(text === '…' ? '' : shown.includes(text)).toBeFalsy();
    }),
  );
});

test('an answer is bounded and storable, whatever its texts are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), fc.nat(200), (text, count) => {
      const cause = exampleCause({
        finding: text,
        against: Array.from({ length: count }, () => text),
        evidence: Array.from({ length: count }, () => ({ text, at: null, href: null })),
      });
      const bounded = boundAnswer(exampleAnswer({ causes: Array.from({ length: count }, () => cause) }));
      expect(bounded.causes.length).toBeLessThanOrEqual(3);
      const stored = JSON.stringify(bounded);
      expect(stored.length).toBeLessThan(300_000);
      expect([stored.isWellFormed(), stored.includes('\\u0000')]).toEqual([true, false]);
    }),
  );
});
