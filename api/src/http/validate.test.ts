import { wholeNumber } from '@plimsoll/contract/wire/query';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseBody, parseQuery } from './validate.ts';

const shape = {
  limit: wholeNumber(1, 10).default(5),
  status: z.enum(['on', 'off']).optional(),
  name: z.string().optional(),
};
const parse = (query: string) => parseQuery(`http://x/?${query}`, shape);

test('what fits is parsed, what is left out gets its default', () => {
  expect(parse('limit=7&status=on')).toEqual({ limit: 7, status: 'on' });
  expect(parse('')).toEqual({ limit: 5 });
});

test.each([
  ['limit=11', 'limit', 'limit: must be at most 10', 'Use at most 10.'],
  ['limit=x', 'limit', 'limit: must be a whole number from 1 to 10', undefined],
  ['status=up', 'status', expect.stringContaining('status: '), 'Use one of: on, off.'],
  ['colour=red', 'colour', 'colour: is not allowed', 'Allowed: limit, status, name.'],
  ['limit=1&limit=1', 'limit', 'limit: must not be repeated', 'Send it once.'],
  ['name=%00', 'name', 'name: contains a character that cannot be stored', expect.stringContaining('NUL')],
])('%s', (query, field, message, remedy) => {
  expect(() => parse(query)).toThrow(expect.objectContaining({ code: 'invalid_parameter', field, message, remedy }));
});

test('an unknown field of a body is named with those that are allowed', () => {
  const schema = z.strictObject({ name: z.string().optional(), of: z.strictObject({}).optional() });
  for (const each of [schema, schema.optional(), schema.superRefine(() => {})]) {
    const wrong = expect.objectContaining({ field: 'reason', remedy: 'Allowed: name, of.' });
    expect(() => parseBody({ reason: 'x' }, each)).toThrow(wrong);
  }
  const deep = expect.objectContaining({ field: 'reason', remedy: 'Leave it out.' });
  expect(() => parseBody({ of: { reason: 'x' } }, schema)).toThrow(deep);
});

test('a body names the place, however deep, and never echoes the value', () => {
  const schema = z.object({ user: z.object({ tags: z.array(z.string()) }) });
  const fault = { user: { tags: ['ok', 4711] } };
  expect(() => parseBody(fault, schema)).toThrow(expect.objectContaining({ field: 'user.tags[1]' }));
  expect(() => parseBody({ user: { tags: ['\ud800'] } }, schema)).toThrow(expect.objectContaining({ field: 'user' }));
  expect(() => parseBody({}, schema)).toThrow(expect.objectContaining({ message: 'user: is required' }));
  expect(() => parseBody([], schema)).toThrow(
    expect.objectContaining({ message: expect.stringContaining('The body: ') }),
  );
});
