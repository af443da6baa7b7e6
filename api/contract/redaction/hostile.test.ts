import { expect, test } from 'vitest';
import { redactArguments, redactCommand } from './redact.ts';

const SIZE = 1_048_576;
/** Units whose repetition makes a backtracking pattern take quadratic time: hours at this size, past any test's limit. */
const UNITS = [
  'password=a&',
  'a=',
  'https://u:p@h/',
  '://',
  '"\'',
  '[[{(',
  'a:b:',
  '--',
  'a  ',
  'Authorization: ',
  'ghp_',
  'password is ',
  "key 'a ",
  '/hooks/aB3x9K',
  "('a',",
  '<a>',
  'pwd={',
  'a (b) values(',
  'aB3x9Kq2',
];

test.each(UNITS)('a text of 1 MiB that repeats %j is redacted', (unit) => {
  const text = unit.repeat(Math.ceil(SIZE / unit.length));
  expect(redactCommand(text)).toBeTypeOf('string');
  expect(redactArguments([text])).toHaveLength(1);
});
