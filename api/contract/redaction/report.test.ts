import { expect, test } from 'vitest';
import { CLUSTER_RULES, redactTree } from './report.ts';
import { REDACTED } from './shapes.ts';
import { redactText } from './text.ts';

const redactor = { prose: redactText, commandLine: (line: string) => line, address: (address: string) => address };
const messageOf = (message: string): string =>
  redactTree({ events: [{ message }] }, CLUSTER_RULES, redactor).events[0]?.message ?? '';

test('a message keeps its line ends, and its secrets are hidden', () => {
  expect(messageOf('start\npanic: no database\n')).toBe('start\npanic: no database\n');
  expect(messageOf('a\npassword=hunter2hunter2\nb')).toBe(`a\npassword=${REDACTED}\nb`);
});

test('a secret that follows its name on the next line is hidden as in one line', () => {
  const inOneLine = redactText('password: hunter2-Secret-91');
  expect(inOneLine).not.toContain('hunter2');
  expect(messageOf('password:\nhunter2-Secret-91')).toBe(inOneLine);
  const key = `-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIpl1CoH0TFvHmZsmCpi9amoLUwxdwsGht9T5hTWdxnL\n-----END EC PRIVATE KEY-----`;
  expect(messageOf(`read\n${key}`)).not.toContain('MHcCAQEE');
});

test('other texts have one line', () => {
  expect(redactTree({ events: [{ reason: 'a\nb' }] }, CLUSTER_RULES, redactor).events[0]?.reason).toBe('a b');
});
