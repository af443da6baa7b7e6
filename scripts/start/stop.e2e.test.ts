/** `npm start` ends by Ctrl-C in a real terminal, or by a kill that it cannot handle. */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isAlive, postmasterOf, stopPostmaster } from '../../api/src/database/embedded/postmaster.ts';
import { freePort } from '../e2e/product.ts';
import { ROOT } from '../lib/stamp.ts';

const CTRL_C = '\u0003';
const SOON = { timeout: 120_000, interval: 50 };
let dataDir: string;
const terminals = new Set<ChildProcess>();
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'plimsoll-stop-'));
  chmodSync(dataDir, 0o711);
});
afterEach(async () => {
  for (const terminal of terminals) terminal.kill('SIGKILL');
  terminals.clear();
  await stopPostmaster(cluster(), 30_000);
  rmSync(dataDir, { recursive: true, force: true });
});
const cluster = (): string => join(dataDir, 'postgres');

/** Runs `npm start` as the foreground job of a terminal of its own. */
async function startInTerminal() {
  // exec: a shell such as dash would wait for npm, and end by the signal itself.
  const command = `exec npm start -- --verbose --port ${String(await freePort())}`;
  const terminal = spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
    cwd: ROOT,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: '', PLIMSOLL_DATA_DIR: dataDir },
  });
  terminals.add(terminal);
  let text = '';
  terminal.stdout.on('data', (part: Buffer) => (text += part.toString()));
  const ended = new Promise<number | null>((resolve) => void terminal.once('exit', resolve));
  const shown = (what: RegExp) => vi.waitFor(() => expect(text).toMatch(what), SOON);
  return { terminal, ended, shown, text: () => text };
}
type Terminal = Awaited<ReturnType<typeof startInTerminal>>;

async function reporting(): Promise<Terminal & { collector: number }> {
  const started = await startInTerminal();
  await started.shown(/Plimsoll is ready/);
  await started.shown(/"msg":"reporting"/);
  return { ...started, collector: Number(/collector started \(pid (\d+)\)/.exec(started.text())?.[1]) };
}

test('Ctrl-C stops the collector after its last report, the API and the database, in this order', async () => {
  const { terminal, ended, text, collector } = await reporting();
  expect([isAlive(collector), postmasterOf(cluster())]).toEqual([true, expect.any(Number)]);
  terminal.stdin?.write(CTRL_C);
  expect(await ended).toBe(0);
  expect([isAlive(collector), postmasterOf(cluster())]).toEqual([false, null]);
  expect(text()).toMatch(/"pending":\d+,.*"msg":"stopped"/);
});

test('Ctrl-C during the start leaves no database running', async () => {
  const { terminal, ended } = await startInTerminal();
  await vi.waitFor(() => expect(existsSync(join(dataDir, 'api.pid'))).toBe(true), SOON);
  await vi.waitFor(() => expect(postmasterOf(cluster())).not.toBeNull(), SOON);
  terminal.stdin?.write(CTRL_C);
  expect(await ended).toBe(0);
  expect(postmasterOf(cluster())).toBeNull();
});

test('after a kill the collector ends by itself, and the next start adopts the database', async () => {
  const killed = await reporting();
  const database = postmasterOf(cluster());
  process.kill(Number(readFileSync(join(dataDir, 'api.pid'), 'utf8')), 'SIGKILL');
  await killed.ended;
  await vi.waitFor(() => expect(isAlive(killed.collector)).toBe(false), SOON);
  expect(postmasterOf(cluster())).toBe(database);
  const next = await reporting();
  expect(postmasterOf(cluster())).toBe(database);
  expect(isAlive(next.collector)).toBe(true);
  next.terminal.stdin?.write(CTRL_C);
  expect(await next.ended).toBe(0);
  expect([isAlive(next.collector), postmasterOf(cluster())]).toEqual([false, null]);
});
