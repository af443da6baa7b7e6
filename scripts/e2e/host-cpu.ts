import { readFileSync } from 'node:fs';

interface Reading {
  /** Epoch seconds. */
  at: number;
  busy: number;
  total: number;
}

/** Jiffies of the first line of /proc/stat: idle and IO wait are not busy; guest time is already in user and nice. */
function read(): Reading {
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softirq = 0, steal = 0] = (
    readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  )
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const busy = user + nice + system + irq + softirq + steal;
  return { at: Date.now() / 1000, busy, total: busy + idle + ioWait };
}

/** Notes /proc/stat ten times a second, so that any past window can be looked up. */
export function watchCpu() {
  const readings = [read()];
  const timer = setInterval(() => readings.push(read()), 100);
  const nearest = (at: number) =>
    readings.reduce((best, one) => (Math.abs(one.at - at) < Math.abs(best.at - at) ? one : best));
  return {
    /** Per cent busy of all cores between two moments in epoch seconds. */
    percentBetween(from: number, to: number): number {
      const [first, last] = [nearest(from), nearest(to)];
      return ((last.busy - first.busy) / (last.total - first.total)) * 100;
    },
    stop: () => clearInterval(timer),
  };
}
