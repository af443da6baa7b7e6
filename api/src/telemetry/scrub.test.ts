import { expect, test } from 'vitest';
import { scrubSecrets } from './scrub.ts';

test.each([
  [`token plm_session_${'a'.repeat(43)} seen`, 'token plm_session_[redacted] seen'],
  ['"authorization":"Bearer abcdefghijkl"', '"authorization":"Bearer [redacted]"'],
  ['https://api.telegram.org/bot123456:AAAAAAAAAAAAAAA/getMe', 'https://api.telegram.org/bot[redacted]/getMe'],
  ['postgresql://plimsoll:hunter2@db:5432/x', 'postgresql://plimsoll:[redacted]@db:5432/x'],
  ['GET /api/servers/list 200', 'GET /api/servers/list 200'],
])('%s', (line, clean) => {
  expect(scrubSecrets(line)).toBe(clean);
});

test('a hostile line costs linear time', () => {
  const started = performance.now();
  scrubSecrets('a://'.repeat(200_000));
  expect(performance.now() - started).toBeLessThan(2000);
});
