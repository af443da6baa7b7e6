import { expect, test } from 'vitest';
import { redactAll, redactLine, redactLogLine } from './redact.ts';

test.each([
  ['sign-in of ada.l+x@mail.example.org', 'sign-in of [e-mail]'],
  ['from 203.0.113.77 to 127.0.0.1:8420', 'from 203.0.113.0 to 127.0.0.1:8420'],
  ['from 2001:db8:1:2:3:4:5:6 at 12:34:56', 'from 2001:db8:1:2:: at 12:34:56'],
  ['[::1]:8420', '[::1]:8420'],
  [
    'connect postgresql://plimsoll:hunter2@db:5432/x failed',
    'connect postgresql://plimsoll:[redacted]@db:5432/x failed',
  ],
  ['2026-11-25T01:02:03.004Z started', '2026-11-25T01:02:03.004Z started'],
])('%s', (text, shown) => {
  expect(redactLine(text)).toBe(shown);
});

test('a field whose name says that it is a secret is hidden, however deep', () => {
  const value = { a: [{ api_key: 'hunter2', n: 1, ok: true, none: null, port: '8420' }] };
  expect(redactAll(value)).toEqual({ a: [{ api_key: '[redacted]', n: 1, ok: true, none: null, port: '8420' }] });
});

test('lines of the log stay JSON; others are redacted as text', () => {
  expect(redactLogLine('{"level":"info","err":{"password":"hunter2"},"msg":"x"}')).toBe(
    '{"level":"info","err":{"password":"[redacted]"},"msg":"x"}',
  );
  expect(redactLogLine('{"cut --password hunter2')).toBe('{"cut --password [redacted]');
});
