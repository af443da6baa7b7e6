import { expect, test } from 'vitest';
import { exampleAnswer, exampleCause } from '../testing/cause.ts';
import { notifiedCause } from './notified-cause.ts';

const of = (parts = {}, more = {}) =>
  notifiedCause({
    findings: ['It is the rollout.'],
    answer: exampleAnswer({ causes: [exampleCause(parts)] }),
    quotesLogLines: true,
    ...more,
  });

test('has what a message and a webhook need', () => {
  expect(of()).toEqual({
    findings: ['It is the rollout.'],
    quote: 'FATAL: out of memory in worker 3',
    mechanism: 'limit_below_peak',
    mechanismTitle: 'Limit below the peak',
    since: '2026-02-01T11:56:08.000Z',
    entities: [
      {
        kind: 'workload',
        name: 'checkout',
        object_kind: 'Deployment',
        namespace: 'shop',
        cluster_id: 'uid-1',
        server_id: null,
      },
    ],
    next: 'Undo the rollout.',
  });
});

test('quotes nothing without the switch, and nothing that no program said', () => {
  expect(of({}, { quotesLogLines: false })?.quote).toBeNull();
  expect(of({ evidence: [{ text: 'words of ours', at: null, href: null }] })?.quote).toBeNull();
});

test('texts are one short line, without marks that turn or hide text', () => {
  const evil = `a\nBcc: x\r\u202Eb\0${'x'.repeat(900)}`;
  const cause = of({ evidence: [{ text: evil, at: null, href: null, is_quote: true }] }, { findings: [evil] });
  for (const text of [cause?.quote ?? '', cause?.findings[0] ?? '']) {
    expect(text).toMatch(/^a Bcc: x \uFFFDb\uFFFDx+…$/);
    expect(text.length).toBeLessThanOrEqual(300);
  }
});

test('an answer in another form, or without a cause, is none', () => {
  expect(of({}, { answer: { status: 'found' } })).toBeNull();
  expect(of({}, { answer: exampleAnswer({ causes: [] }) })).toBeNull();
  expect(of({}, { findings: [] })).toBeNull();
});
