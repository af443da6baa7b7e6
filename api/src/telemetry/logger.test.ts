import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

function capture(): { lines: string[]; write: (line: string) => void } {
  const lines: string[] = [];
  return { lines, write: (line) => void lines.push(line) };
}

test('a secret does not reach the log, by field or by shape', () => {
  const sink = capture();
  const log = createLogger({ level: 'info', format: 'json' }, sink);
  const token = `plm_agent_${'x'.repeat(43)}`;
  log.info({ token, headers: { authorization: `Bearer ${token}` }, path: `/?t=${token}` }, `sent ${token}`);
  const line = sink.lines.join('');
  expect(line).not.toContain('xxxx');
  expect(JSON.parse(line)).toMatchObject({ level: 'info', token: '[redacted]', msg: 'sent plm_agent_[redacted]' });
});

test.each([
  ['provider_failed', 'provider_failed'],
  ['ECONNREFUSED', 'ECONNREFUSED'],
  ['ERR_BUFFER_TOO_LARGE', 'ERR_BUFFER_TOO_LARGE'],
  ['OAUTH_INVALID_RESPONSE', 'OAUTH_INVALID_RESPONSE'],
  ['53100', '53100'],
  ['P1001', 'P1001'],
  [78, 78],
  ['4/0AX4XfWh-abcdefg', '[redacted]'],
  ['abcdefghij', '[redacted]'],
  ['123456', '[redacted]'],
  ['toString', '[redacted]'],
  [`plm_code_${'x'.repeat(43)}`, '[redacted]'],
])('code %j reaches the log as %j, at the top and below', (code, shown) => {
  const sink = capture();
  createLogger({ level: 'info', format: 'json' }, sink).info({ code, err: { code } }, 'sign-in refused');
  expect(JSON.parse(sink.lines.join(''))).toMatchObject({ code: shown, err: { code: shown } });
});

test('below the level nothing is written', () => {
  const sink = capture();
  createLogger({ level: 'warn', format: 'json' }, sink).info('quiet');
  expect(sink.lines).toEqual([]);
});
