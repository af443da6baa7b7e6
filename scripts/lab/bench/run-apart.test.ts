import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it, vi } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'plimsoll-apart-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Starts a process that leaves its group, as a database does, and names it in the file of the first argument. */
const SCRIPT = `
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', tmpdir()], { detached: true, stdio: 'ignore', env: {} });
child.unref();
writeFileSync(process.argv[2], String(child.pid));
if (process.argv[3] === 'wait') setInterval(() => {}, 1000);
`;
/** A container may keep the entry of an ended process, which has no command line then. */
const isAlive = (pid: number): boolean => {
  const file = `/proc/${String(pid)}/cmdline`;
  return existsSync(file) && readFileSync(file, 'utf8') !== '';
};

it.skipIf(process.platform !== 'linux').each([
  ['ends', 'end'],
  ['is interrupted', 'wait'],
])('leaves no process and no file when a script %s', async (_, how) => {
  const [script, started, runner] = ['script.mjs', `${how}.pid`, `${how}.mjs`].map((name) => join(root, name));
  writeFileSync(script ?? '', SCRIPT);
  const apart = JSON.stringify(join(import.meta.dirname, 'run-apart.ts'));
  const argv = JSON.stringify([started, how]);
  writeFileSync(
    runner ?? '',
    `import { runApart } from ${apart};\nprocess.exitCode = await runApart(${JSON.stringify(script)}, ${argv});`,
  );
  const folder = mkdtempSync(join(root, 'tmp-'));
  const child = spawn(process.execPath, [runner ?? ''], { stdio: 'ignore', env: { ...process.env, TMPDIR: folder } });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const pid = await vi.waitFor(() => Number(readFileSync(started ?? '', 'utf8') || 'none'), { timeout: 50_000 });
  if (how === 'wait') child.kill('SIGINT');
  expect(await ended).toBe(how === 'wait' ? 130 : 0);
  expect([isAlive(pid), readdirSync(folder)]).toEqual([false, []]);
});
