/** One process at one reading, before it is chosen to be sent. */
export interface ProcessSeen {
  pid: number;
  /** Tells a process from a later one with the same pid. */
  startTicks: number;
  name: string;
  state: string;
  cpuTicks: number;
  threads: number;
  residentPages: number;
  /** Per cent of one core since the reading before; null when that is not known. */
  cpuPercent: number | null;
}

/** The most by CPU and the most by memory, each process once. */
export function topProcesses(all: readonly ProcessSeen[], most: number): ProcessSeen[] {
  const byCpu = largest(all, most, (one) => one.cpuPercent ?? 0);
  const byMemory = largest(all, most, (one) => one.residentPages);
  return [...new Set([...byCpu, ...byMemory])];
}

/** Only what can be among the most is sorted by a comparison, which costs a call each: a host may have thousands. */
function largest(all: readonly ProcessSeen[], most: number, of: (one: ProcessSeen) => number): ProcessSeen[] {
  const keys = Float64Array.from(all, of);
  const least = keys.length > most ? (keys.toSorted()[keys.length - most] ?? 0) : 0;
  return all
    .filter((_, index) => (keys[index] ?? 0) > 0 && (keys[index] ?? 0) >= least)
    .toSorted((a, b) => of(b) - of(a))
    .slice(0, most);
}
