import { expect, test } from 'vitest';
import { explainConnection } from './explain-connection.ts';

const URL_TEXT = 'postgresql://ada:hunter2@db.example:5433/plimsoll';
const explained = (code: string, message = 'no', url = URL_TEXT): string =>
  String(explainConnection(Object.assign(new Error(message), { code }), url));

test.each([
  ['ECONNREFUSED', /Nothing listens there\. Start PostgreSQL/],
  ['ENOTFOUND', /no host of this name/],
  ['28P01', /password is wrong/],
  ['3D000', /no such database\. Create it/],
])('%s names place and remedy, and no password', (code, remedy) => {
  expect(explained(code)).toMatch(remedy);
  expect(explained(code)).toContain('the database db.example:5433/plimsoll cannot be used (no)');
  expect(explained(code)).not.toContain('hunter2');
});

test('a timeout of the driver has no code', () => {
  expect(explained('', 'timeout expired')).toMatch(/Nobody answers/);
});

test('the folder of a socket is named', () => {
  expect(explained('ENOENT', 'no', 'postgresql://x@localhost/y?host=/run/pg')).toContain('the database /run/pg/y');
});

test('another error stays as it is', () => {
  const error = new Error('a migration is broken');
  expect(explainConnection(error, URL_TEXT)).toBe(error);
});
