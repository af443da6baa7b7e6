import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createLogger } from './logger.ts';
import { readRecentLog, RecentLog } from './recent-log.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync('/tmp/plimsoll-recent-');
});
afterEach(() => {
  rmSync(home, { recursive: true });
});
const MIB = 1_048_576;

test('keeps lines across restarts, for its owner only', () => {
  for (const line of ['one\n', 'two\n']) {
    const log = new RecentLog(home);
    log.write(line);
    log.close();
  }
  expect(readRecentLog(home, 10)).toEqual(['one', 'two']);
  expect(readRecentLog(home, 1)).toEqual(['two']);
  expect(statSync(join(home, 'api.log')).mode & 0o777).toBe(0o600);
});

test('holds 2 MiB at most, and always the newest line', () => {
  const log = new RecentLog(home);
  const line = (n: number) => `${String(n).padStart(8)}${'.'.repeat(65_000)}\n`;
  for (let n = 0; n < 100; n += 1) log.write(line(n));
  log.close();
  const sizes = readdirSync(home).map((name) => statSync(join(home, name)).size);
  expect(sizes).toHaveLength(2);
  expect(Math.max(...sizes)).toBeLessThan(MIB + 65_100);
  expect(readRecentLog(home, 1)[0]).toMatch(/^ {6}99/);
});

test('lines written before the data folder exists are kept, in order', () => {
  const folder = join(home, 'data');
  const log = new RecentLog(folder);
  log.write('first\n');
  log.write('second\n');
  mkdirSync(folder);
  log.write('third\n');
  log.close();
  expect(readRecentLog(folder, 10)).toEqual(['first', 'second', 'third']);
});

test('a folder that cannot be written costs the line and nothing else', () => {
  const file = join(home, 'file');
  writeFileSync(file, '');
  const log = new RecentLog(file);
  for (let n = 0; n < 1000; n += 1) log.write('x\n');
  log.close();
  expect(readRecentLog(file, 10)).toEqual([]);
});

test('the logger writes to it by its own level, without secrets', () => {
  const shown: string[] = [];
  const recent = new RecentLog(home);
  const terminal = { write: (line: string) => void shown.push(line) };
  const log = createLogger({ level: 'error', format: 'json' }, terminal, { level: 'info', stream: recent });
  log.debug('not kept');
  log.info({ url: 'https://u:hunter2@h' }, 'kept');
  log.error('shown');
  expect(shown.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['shown']);
  const kept = readFileSync(join(home, 'api.log'), 'utf8');
  expect(kept.match(/"msg":"\w+"/g)).toEqual(['"msg":"kept"', '"msg":"shown"']);
  expect(kept).not.toContain('hunter2');
});
