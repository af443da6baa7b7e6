import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SENDER_TEXTS, SENDERS, tokenFileCommand } from './other-agents.ts';

const GUIDE = readFileSync(join(import.meta.dirname, '../../../docs/bring-your-agent.md'), 'utf8');

describe('the configuration of a sender', () => {
  it.each(SENDERS)('of %s is that of the guide, which is run with the real sender', (sender) => {
    const indented = SENDER_TEXTS[sender]
      .configure('https://plimsoll.example.com')
      .split('\n')
      .map((line) => `    ${line}`)
      .join('\n');
    expect(GUIDE).toContain(`\n\n${indented}\n\n`);
  });

  it.each(SENDERS)('of %s reads the token from the file that the command writes', (sender) => {
    const { tokenFile, configure } = SENDER_TEXTS[sender];
    expect(configure('https://plimsoll.example.com')).toContain(tokenFile);
    expect(tokenFileCommand(sender, 'plm_api_x')).toMatch(new RegExp(`${tokenFile}$`));
  });
});

it('writes the token alone to the file, whatever it contains', () => {
  const token = "plm_api_a'b $c";
  const command = tokenFileCommand('vmagent', token).replace(/ \| sudo .*$/, '');
  expect(execFileSync('sh', ['-c', command], { encoding: 'utf8' })).toBe(token);
});
