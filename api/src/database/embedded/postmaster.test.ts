import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { isAlive, logTail, postmasterOf, removeStalePidFile, spawnPostmaster, stopPostmaster } from './postmaster.ts';
import type { Places } from './places.ts';

const home = mkdtempSync(join(tmpdir(), 'plimsoll-postmaster-'));
afterAll(() => rmSync(home, { recursive: true }));
let folders = 0;
let places: Places;
beforeEach(() => {
  const base = join(home, String((folders += 1)));
  places = { base, cluster: join(base, 'postgres'), socket: join(base, 'socket'), log: join(base, 'postgres.log') };
  mkdirSync(places.cluster, { recursive: true });
});

const pidFile = (): string => join(places.cluster, 'postmaster.pid');
/** A process that looks like the postmaster of a cluster, or like anything else: it waits to be ended. */
const start = async (args: string[]) => {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)', '--', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  return child;
};
const end = async (child: Awaited<ReturnType<typeof start>>): Promise<void> => {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
};

describe('the pid file of a cluster', () => {
  test.each([
    ['none', null],
    ['an empty one', ''],
    ['one without a number', 'nonsense\n'],
    ['one of a process that is gone', '4194304\n/data\n'],
    ['one that names every process', '0\n'],
    ['one that names a group', '-1\n'],
  ])('%s means no postmaster runs', (_name, content) => {
    if (content !== null) writeFileSync(pidFile(), content);
    expect(postmasterOf(places.cluster)).toBeNull();
    expect(removeStalePidFile(places.cluster)).toBe(content !== null);
    expect(existsSync(pidFile())).toBe(false);
  });

  test('that names a stranger, or the postmaster of another folder, is removed, and the stranger lives on', async () => {
    const strangers = [
      await start([]),
      await start(['-D', `${places.cluster}-2`, '-c']),
      await start(['-D', home, '-c']),
    ];
    for (const { pid } of strangers) {
      writeFileSync(pidFile(), `${String(pid)}\n`);
      expect(postmasterOf(places.cluster)).toBeNull();
      await stopPostmaster(places.cluster, 1000);
      expect(removeStalePidFile(places.cluster)).toBe(true);
      expect(isAlive(pid ?? 0)).toBe(true);
    }
    await Promise.all(strangers.map(end));
  });

  test('that names its own postmaster stays, and that one is ended', async () => {
    const own = await start(['-D', places.cluster, '-c', 'x=y']);
    writeFileSync(pidFile(), `${String(own.pid)}\n${places.cluster}\n`);
    expect(postmasterOf(places.cluster)).toBe(own.pid);
    expect(removeStalePidFile(places.cluster)).toBe(false);
    const ended = once(own, 'exit');
    await stopPostmaster(places.cluster, 10_000);
    await ended;
    expect(postmasterOf(places.cluster)).toBeNull();
  });
});

describe('the log', () => {
  test('tells its last four lines, and that it is empty', () => {
    expect(logTail(places)).toBe('(empty log)');
    const lines = [
      'LOG:  starting',
      'LOG:  ready',
      'PANIC:  could not write to file "pg_wal/xlogtemp.41":',
      'No space left on device',
      'LOG:  terminated',
    ];
    writeFileSync(places.log, `${lines.join('\n')}\n`);
    expect(logTail(places)).toBe(lines.slice(1).join('\n'));
  });

  test('starts anew past ten megabytes, and not before', () => {
    const nowhere = join(home, 'no-such-programs');
    for (const [bytes, left] of [
      [10 * 2 ** 20, 10 * 2 ** 20],
      [10 * 2 ** 20 + 1, 0],
    ] as const) {
      writeFileSync(places.log, Buffer.alloc(bytes, 'x'));
      // Programs that are not there give no process, and no error but the one the caller makes of it.
      expect(spawnPostmaster(nowhere, places, null)).toBeNull();
      expect(statSync(places.log).size).toBe(left);
    }
  });
});
