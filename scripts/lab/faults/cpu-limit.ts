import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A share of the processors that processes, and those they start, get together. */
export interface CpuLimit {
  /** `cores`: 0.1 is a tenth of one processor; null is no limit. */
  set(cores: number | null): void;
  /** Lets the processes go back to where they were. */
  remove(): void;
}

/** The longest that the kernel takes: it gives a group at least 1 ms of each, so a thousandth of a processor. */
const PERIOD_US = 1_000_000;

interface Hierarchy {
  root: string;
  /** Writes the limit into a group. */
  write(group: string, quotaUs: number | null): void;
}

/** Control groups of version 1 have a folder for each controller, those of version 2 one for all. */
const HIERARCHIES: readonly (Hierarchy & { isThere: () => boolean })[] = [
  {
    root: '/sys/fs/cgroup/cpu',
    isThere: () => existsSync('/sys/fs/cgroup/cpu/cgroup.procs'),
    write: (group, quotaUs) => {
      writeFileSync(join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
      writeFileSync(join(group, 'cpu.cfs_quota_us'), String(quotaUs ?? -1));
    },
  },
  {
    root: '/sys/fs/cgroup',
    isThere: () => {
      const file = '/sys/fs/cgroup/cgroup.subtree_control';
      return existsSync(file) && readFileSync(file, 'utf8').split(/\s+/).includes('cpu');
    },
    write: (group, quotaUs) =>
      writeFileSync(join(group, 'cpu.max'), `${quotaUs === null ? 'max' : String(quotaUs)} ${String(PERIOD_US)}`),
  },
];

const hierarchy = (): Hierarchy | undefined => HIERARCHIES.find(({ isThere }) => isThere());

/** Returns why processors cannot be limited here, or null. */
export function missingCpuLimit(): string | null {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs Linux and root, to limit processors';
  return hierarchy() === undefined ? 'needs control groups with the controller cpu' : null;
}

export function limitCpu(pids: readonly number[]): CpuLimit {
  const found = hierarchy();
  if (found === undefined) throw new Error('no control groups with the controller cpu are here');
  const group = join(found.root, `plimsoll-${String(process.pid)}`);
  mkdirSync(group);
  for (const pid of pids) move(group, pid);
  return {
    set: (cores) => found.write(group, cores === null ? null : Math.round(cores * PERIOD_US)),
    remove: () => {
      const left = readFileSync(join(group, 'cgroup.procs'), 'utf8').trim();
      for (const pid of left === '' ? [] : left.split('\n')) move(found.root, Number(pid));
      rmdirSync(group);
    },
  };
}

/** A process may have ended since it was listed. */
function move(group: string, pid: number): void {
  try {
    writeFileSync(join(group, 'cgroup.procs'), String(pid));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
