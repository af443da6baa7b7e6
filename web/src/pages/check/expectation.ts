import type { ExpectedText } from '@plimsoll/contract/wire/check-probes';
import type { ProbeRequest } from '@plimsoll/contract/wire/checks/checks';

/** The condition of a good answer, as the form has it. */
export interface Expectation {
  answer: AnswerKind;
  text: string;
  path: string;
  /** Null: any value but null. */
  value: string | null;
  /** Expected records of DNS, one a line. */
  records: string;
}
export const ANSWERS = [
  { value: 'any', label: 'Anything' },
  { value: 'text', label: 'Contains a text' },
  { value: 'no-text', label: 'Does not contain a text' },
  { value: 'json', label: 'JSON has a value' },
  { value: 'no-json', label: 'JSON does not have a value' },
] as const;
type AnswerKind = (typeof ANSWERS)[number]['value'];
export const isAnswer = (value: string): value is AnswerKind => ANSWERS.some((one) => one.value === value);

const EMPTY: Expectation = { answer: 'any', text: '', path: '', value: null, records: '' };

export function draftExpectation(probe: ProbeRequest): Expectation {
  if (probe.kind === 'tcp') return { ...EMPTY, text: probe.expect ?? '' };
  if (probe.kind === 'dns') return { ...EMPTY, records: probe.expect.join('\n') };
  if (probe.kind === 'tls' || probe.expect === null) return EMPTY;
  const { expect } = probe;
  if (expect.kind === 'text') return { ...EMPTY, answer: expect.isPresent ? 'text' : 'no-text', text: expect.text };
  return { ...EMPTY, answer: expect.isPresent ? 'json' : 'no-json', path: expect.path, value: expect.value };
}

function answerOf({ answer, text, path, value }: Expectation): ExpectedText | null {
  switch (answer) {
    case 'any':
      return null;
    case 'text':
    case 'no-text':
      return { kind: 'text', text, isPresent: answer === 'text' };
    case 'json':
    case 'no-json':
      return { kind: 'json', path, value, isPresent: answer === 'json' };
  }
}

/** The part of a probe that says what is expected. */
interface Expected {
  http: { expect: ExpectedText | null };
  tcp: { expect: string | null };
  dns: { expect: string[] };
}
export function expectationOf<Kind extends keyof Expected>(draft: Expectation, kind: Kind): Expected[Kind] {
  const lines = draft.records.split('\n').map((line) => line.trim());
  const parts: Expected = {
    http: { expect: answerOf(draft) },
    tcp: { expect: draft.text === '' ? null : draft.text },
    dns: { expect: lines.filter((line) => line !== '') },
  };
  return parts[kind];
}

/** Fields of the form by the field that the API names. */
export const EXPECTATION_FIELDS = {
  'probe.expect': 'text',
  'probe.expect.text': 'text',
  'probe.expect.path': 'path',
  'probe.expect.value': 'value',
} as const;
