import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runInstaller } from './installer.ts';

function script(text: string): { path: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'install.sh');
  writeFileSync(path, text);
  return { path, folder };
}

test('arguments go to the script one by one and its exit status comes back', async () => {
  const { path, folder } = script('printf "[%s]" "$@" >"$(dirname "$0")/arguments"; exit 6');
  expect(await runInstaller(['--update', 'a b', '$(id)'], () => {}, path)).toBe(6);
  expect(readFileSync(join(folder, 'arguments'), 'utf8')).toBe('[--update][a b][$(id)]');
});

test('a program that install.sh did not put there says what to do', async () => {
  const said: string[] = [];
  expect(await runInstaller(['--update'], (line) => said.push(line), '/nowhere/install.sh')).toBe(1);
  expect(said.join()).toMatch(/\/nowhere\/install\.sh is missing.*curl -fsSL URL\/install\.sh/);
});
