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

test('below the level nothing is written', () => {
  const sink = capture();
  createLogger({ level: 'warn', format: 'json' }, sink).info('quiet');
  expect(sink.lines).toEqual([]);
});
