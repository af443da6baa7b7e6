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
  const keys = new Float64Array(all.length);
  let filled = 0;
  for (const one of all) keys[filled++] = of(one);
  const least = keys.length > most ? (keys.toSorted()[keys.length - most] ?? 0) : 0;
  const above: ProcessSeen[] = [];
  const level: ProcessSeen[] = [];
  let index = 0;
  for (const one of all) {
    const key = keys[index++] ?? 0;
    if (key > least) above.push(one);
    else if (key === least && least > 0 && level.length < most) level.push(one);
  }
  return [...above.toSorted((a, b) => of(b) - of(a)), ...level].slice(0, most);
}
