import { BLACK_BOX_LIMITS } from '@plimsoll/contract/rules/alert-acting';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitBlackBox, type BlackBox } from './black-box.ts';

const process = (pid: number, command: string) => ({
  pid,
  name: 'p',
  command,
  user: 'root',
  status: 'S',
  cpu_percent: 1,
  memory_percent: 1,
  memory_bytes: 1,
  threads: 1,
  started_at: 1,
});
const boxOf = (commands: string[], messages: string[] = []): BlackBox => ({
  processes: { sampledAt: 1, total: commands.length, entries: commands.map((command, pid) => process(pid, command)) },
  connections: null,
  sockets: null,
  events: messages.map((message, at) => ({
    at,
    eventType: 'error',
    serviceName: null,
    processName: null,
    message,
    severity: 'error' as const,
  })),
  pods: null,
});

test('what fits is kept whole', () => {
  const box = boxOf(['/bin/a --x', '/bin/b'], ['started']);
  expect(fitBlackBox(box)).toEqual(box);
});

test('any lists fit into the limit, keep their first rows and can be stored, 30 times', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 800 }), fc.constant('\u0000'.repeat(600)));
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), fc.array(text, { maxLength: 20 }), (commands, messages) => {
      const fitted = fitBlackBox(boxOf(commands, messages));
      const json = JSON.stringify(fitted);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(BLACK_BOX_LIMITS.bytes);
      expect(json).not.toMatch(/\\u0000|\\ud[89a-f]/i);
      expect(fitted.processes?.total).toBe(commands.length);
      expect(fitted.processes?.entries.map(({ pid }) => pid)).toEqual(fitted.processes?.entries.map((_, i) => i));
    }),
    { numRuns: 30 },
  );
});

test('half of a surrogate pair, which PostgreSQL refuses, is replaced', () => {
  expect(fitBlackBox(boxOf(['a\uD800b'])).processes?.entries[0]?.command).toBe('a\uFFFDb');
});
