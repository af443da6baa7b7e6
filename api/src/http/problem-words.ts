import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** Beginnings of zod's own messages; a schema of the contract with words of its own begins with none of them. */
const OF_ZOD = /^(?:Invalid|Too (?:small|big)|Unrecognized)/;

const TYPE: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};
const FORMAT: Readonly<Record<string, string>> = {
  uuid: 'an id (a UUID)',
  email: 'an e-mail address',
  url: 'an address (a URL)',
  datetime: 'a moment in ISO 8601',
  date: 'a day in ISO 8601',
};
const UNIT: Readonly<Record<string, string>> = {
  string: ' characters',
  array: ' entries',
  set: ' entries',
  map: ' entries',
};

function limitOf(issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string {
  const unit = UNIT[issue.origin] ?? '';
  if (issue.code === 'too_small') {
    if (unit !== '' && Number(issue.minimum) === 1) return 'must not be empty';
    return `must ${unit === '' ? 'be' : 'have'} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unit}`;
  }
  return `must ${unit === '' ? 'be' : 'have'} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unit}`;
}

/** Returns what is wrong in the API's words, as `must be …`; words that the schema brings stay. */
export function problemWords(issue: Issue): string {
  if (!OF_ZOD.test(issue.message)) return issue.message;
  if (issue.code === 'invalid_type') return `must be ${TYPE[issue.expected] ?? issue.expected}`;
  if (issue.code === 'too_small' || issue.code === 'too_big') return limitOf(issue);
  if (issue.code === 'invalid_value') return 'must be one of the allowed values';
  if (issue.code === 'invalid_format') return `must be ${FORMAT[issue.format] ?? `a valid ${issue.format}`}`;
  return 'must have another form';
}
