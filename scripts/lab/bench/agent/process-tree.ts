import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const PARENT = 1;
const CPU = { from: 11, to: 15 } as const;

/** The words of /proc/PID/stat after the name; none when the process is gone. */
function statWords(pid: number): string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** A process and all that descend from it: netdata collects in children. */
export function treeOf(root: number): number[] {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const parents = new Map(all.map((pid) => [pid, Number(statWords(pid)[PARENT])]));
  const tree = [root];
  for (const pid of tree) tree.push(...all.filter((child) => parents.get(child) === pid));
  return tree;
}

/** CPU of these processes and of the children they have waited for, in milliseconds. */
export function cpuMs(pids: readonly number[]): number {
  const ticks = pids.flatMap((pid) => statWords(pid).slice(CPU.from, CPU.to)).map(Number);
  return (ticks.reduce((sum, one) => sum + one, 0) * 1000) / TICKS_PER_SECOND;
}

export interface Memory {
  rssMb: number;
  /** Memory without a file, which ending the program would free. Not Private_Dirty: a file just written counts there. */
  privateMb: number;
}

export function memoryOf(pids: readonly number[]): Memory {
  const texts = pids.map((pid) => {
    try {
      return readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    } catch {
      return '';
    }
  });
  const kib = (name: string): number =>
    texts.reduce((sum, text) => sum + Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0), 0);
  return { rssMb: kib('Rss') / 1024, privateMb: kib('Anonymous') / 1024 };
}

/** Ends what is left of a tree: first asks, then after the patience kills. */
export async function endTree(root: number, patienceMs: number): Promise<void> {
  const tree = treeOf(root);
  const left = (): number[] => tree.filter((pid) => !['', 'Z'].includes(statWords(pid)[0] ?? ''));
  signal(tree, 'SIGTERM');
  for (const until = performance.now() + patienceMs; left().length > 0 && performance.now() < until;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  signal(left(), 'SIGKILL');
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It ended by itself.
    }
  }
}
