import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The process that started a cluster: a test run ends with its process, `up` leaves a cluster that has none. */
interface Owner {
  /** Changes with every start of the machine. Null where the system does not say. */
  boot: string | null;
  process: { pid: number; startedAt: string | null } | null;
}

const fileOf = (run: string) => join(run, 'owner.json');

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

const bootId = () => read('/proc/sys/kernel/random/boot_id');

/** Returns field 22 of proc_pid_stat(5): with the pid it names a process even after the pid is used again. */
function startOf(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Writes into the folder of a run who started it. `pid` is null when the cluster outlives the command. */
export function recordOwner(run: string, pid: number | null): void {
  const owner: Owner = { boot: bootId(), process: pid === null ? null : { pid, startedAt: startOf(pid) } };
  mkdirSync(run, { recursive: true });
  writeFileSync(fileOf(run), JSON.stringify(owner));
}

/** Returns true if what is in the folder of a run was left behind: its process or the machine was killed. */
export function isLeftBehind(run: string): boolean {
  if (!existsSync(fileOf(run))) return false;
  const owner = JSON.parse(readFileSync(fileOf(run), 'utf8')) as Owner;
  if (owner.boot !== bootId()) return true;
  if (owner.process === null) return false;
  return !isAlive(owner.process.pid) || startOf(owner.process.pid) !== owner.process.startedAt;
}
