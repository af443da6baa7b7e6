import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { collectorRuntime } from '../../../lib/collector-runtime.ts';
import { acceptor } from './acceptor.ts';
import { cpuMs, endTree, treeOf } from './process-tree.ts';

const PATIENCE_MS = 3000;

/** CPU milliseconds of each minute after the first report, of the program with every setting as it is shipped. */
export async function shippedMinute(
  program: string,
  minutes: number,
  argv: readonly string[] = ['run'],
): Promise<number[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-agent-'));
  const api = await acceptor();
  const env = {
    ...collectorRuntime(),
    PATH: '/usr/bin:/bin:/usr/sbin',
    HOME: folder,
    PLIMSOLL_URL: `http://127.0.0.1:${api.port}`,
    PLIMSOLL_STATE_DIR: folder,
    PLIMSOLL_ENROLMENT_TOKEN: 'bench',
  };
  const child = spawn(program, argv, { env, stdio: 'ignore' });
  const pid = child.pid ?? 0;
  try {
    // The start, its first report and its second one are no usual minute.
    while (api.count() < 2 && child.exitCode === null) await delay(100);
    const used: number[] = [];
    for (let minute = 0; minute < minutes; minute += 1) {
      const before = cpuMs(treeOf(pid));
      await delay(MINUTE_MS);
      used.push(cpuMs(treeOf(pid)) - before);
    }
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    return used;
  } finally {
    await endTree(pid, PATIENCE_MS);
    api.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
