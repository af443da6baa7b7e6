import { expect, test } from 'vitest';
import { z } from 'zod';
import { problemWords } from './problem-words.ts';

const wordsOf = (schema: z.ZodType, value: unknown): string[] =>
  schema.safeParse(value).error?.issues.map(problemWords) ?? [];

test.each([
  ['a type', z.string(), 4711, 'must be a text'],
  ['a whole number', z.int(), 1.5, 'must be a whole number'],
  ['a list', z.array(z.string()), 'x', 'must be a list'],
  ['an empty text', z.string().min(1), '', 'must not be empty'],
  ['a short text', z.string().min(12), 'x', 'must have at least 12 characters'],
  ['a long text', z.string().max(2), 'xyz', 'must have at most 2 characters'],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], 'must have at most 1 entries'],
  ['a small number', z.number().min(1), 0, 'must be at least 1'],
  ['a bound that is out', z.number().gt(0), 0, 'must be more than 0'],
  ['a large number', z.number().max(9), 10, 'must be at most 9'],
  ['an unknown value', z.enum(['on', 'off']), 'up', 'must be one of the allowed values'],
  ['no id', z.uuid(), 'x', 'must be an id (a UUID)'],
  ['no address', z.email(), 'x', 'must be an e-mail address'],
  ['no moment', z.iso.datetime(), 'x', 'must be a moment in ISO 8601'],
  ['no alternative', z.union([z.string(), z.number()]), true, 'must have another form'],
])('%s is said in the words of the API', (_, schema, value, words) => {
  expect(wordsOf(schema, value)).toEqual([words]);
});

test('words of a schema stay', () => {
  expect(wordsOf(z.string().min(2, 'must be the key of a tag'), 'x')).toEqual(['must be the key of a tag']);
});
