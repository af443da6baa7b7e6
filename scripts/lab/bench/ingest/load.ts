import { readdirSync, readFileSync } from 'node:fs';

/** Runs `work` for each item in `width` lanes at a time; answers wall seconds and the latencies in ms, sorted. */
export const runLoad = async <T>(
  items: readonly T[],
  width: number,
  work: (item: T, lane: number) => Promise<void>,
): Promise<{ seconds: number; latencies: number[] }> => {
  const latencies: number[] = [];
  let next = 0;
  const runLane = async (lane: number): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) {
      const begun = performance.now();
      await work(item, lane);
      latencies.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: width }, (_, lane) => runLane(lane)));
  return { seconds: (performance.now() - begun) / 1000, latencies: latencies.toSorted((a, b) => a - b) };
};

export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** Kernel ticks a second of the times in /proc/PID/stat; 100 on every Linux that Node runs on. */
const TICKS = 100;
interface ProcessTimes {
  parent: number;
  seconds: number;
  /** CPU seconds of finished children. */
  endedSeconds: number;
}
const timesOf = (pid: number): ProcessTimes | null => {
  if (!(pid > 0)) return null;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    const ticks = fields.slice(11, 15).map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = ticks;
    return {
      parent: Number(fields[1]),
      seconds: (user + system) / TICKS,
      endedSeconds: (endedUser + endedSystem) / TICKS,
    };
  } catch {
    return null;
  }
};

/** CPU seconds a process has used so far, all its threads but none of its children. */
export const cpuSeconds = (pid: number): number => timesOf(pid)?.seconds ?? 0;

/** CPU seconds of a postmaster and of every process it has forked, ended ones too. */
export const cpuSecondsOfPostgres = (postmaster: number): number => {
  const own = timesOf(postmaster);
  return readdirSync('/proc')
    .map((name) => timesOf(Number(name)))
    .filter((times) => times?.parent === postmaster)
    .reduce((total, times) => total + (times?.seconds ?? 0), (own?.seconds ?? 0) + (own?.endedSeconds ?? 0));
};
