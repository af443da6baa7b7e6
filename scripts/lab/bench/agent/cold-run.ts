import { spawnSync } from 'node:child_process';
import { collectorRuntime } from '../../../lib/collector-runtime.ts';

/** Times each command is started: a start's CPU differs by a fifth from one to the next. */
const STARTS = 20;
/**
 * CPU milliseconds of one start, the mean over many: of the runtime alone, and of a collection with all its sources that
 * is printed. Throws when a start fails.
 */
export function coldRun(program: string): { runtimeMs: number; collectionMs: number } {
  return { runtimeMs: cpuOf(program, 'version'), collectionMs: cpuOf(program, 'once --print') };
}

function cpuOf(program: string, words: string): number {
  const starts = Array.from({ length: STARTS }, () => `"$0" ${words} >/dev/null || exit 1`).join('\n');
  // As install.sh starts it once: the service's small heap is for what runs for weeks, not for a second.
  const { BUN_JSC_useJIT } = collectorRuntime();
  const env = { PATH: '/usr/bin:/bin:/usr/sbin', BUN_JSC_useJIT };
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', `${starts}\ntimes`, program], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ${words} failed: ${stderr}`);
  return (1000 * childrenSeconds(stdout)) / STARTS;
}

/** Parses the second line of the shell's `times`: user and system time of its finished children, as 0m0.12s. */
export function childrenSeconds(printed: string): number {
  const times = [...(printed.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
  if (times.length !== 2) throw new Error(`times printed "${printed.trim()}"`);
  return times.reduce((sum, [, minutes = '', seconds = '']) => sum + Number(minutes) * 60 + Number(seconds), 0);
}
