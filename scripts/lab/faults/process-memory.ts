import { readdirSync, readFileSync } from 'node:fs';

/** Returns the process ids of a process and of all its descendants. */
export function processTree(root: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = parentOf(Number(name));
    if (parent !== null) parents.set(Number(name), parent);
  }
  const tree = [root];
  for (const pid of tree) for (const [child, parent] of parents) if (parent === pid) tree.push(child);
  return tree;
}

function parentOf(pid: number): number | null {
  if (!(pid > 0)) return null;
  try {
    const fields = readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ');
    return Number(fields?.[1]);
  } catch {
    return null;
  }
}

/**
 * Returns the proportional set size of the processes together, in bytes: a page that several of them share counts once,
 * so PostgreSQL's shared buffers are not counted for each connection. Source: `Pss` in /proc/PID/smaps_rollup.
 */
export const proportionalBytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + fieldOf(pid, 'smaps_rollup', 'Pss'), 0);

/** Returns the resident set size of one process, in bytes. */
export const residentBytes = (pid: number): number => fieldOf(pid, 'status', 'VmRSS');

function fieldOf(pid: number, file: string, field: string): number {
  try {
    const text = readFileSync(`/proc/${String(pid)}/${file}`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
