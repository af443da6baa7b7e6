/** Fields of /proc/PID/stat (proc(5)). */
export interface PidStat {
  name: string;
  state: string;
  /** CPU time used, user and system, in clock ticks. */
  cpuTicks: number;
  threads: number;
  /** Ticks between boot and the start: with the pid it names the process for good. */
  startTicks: number;
  residentPages: number;
}

const OPEN = 40;
const CLOSE = 41;

/** Fields after the name, counted from the state as 0. */
const FIELD = { state: 0, userTicks: 11, systemTicks: 12, threads: 17, startTicks: 19, residentPages: 21 } as const;
/** One field more than is used: the last one used is whole only when another follows. */
const WORDS = FIELD.residentPages + 2;

/**
 * Null when the text is cut. The name may hold blanks and parentheses, so it ends at the last ")". The rest is split by
 * the runtime: the shipped program runs without a JIT, where that takes a sixth of the time of a loop over the bytes.
 */
export function parsePidStat(bytes: Buffer): PidStat | null {
  const open = bytes.indexOf(OPEN);
  const close = bytes.lastIndexOf(CLOSE);
  if (open === -1 || close < open) return null;
  const words = bytes.toString('latin1', close + 2).split(' ', WORDS);
  if (words.length < WORDS) return null;
  const figure = (field: number): number => Number(words[field]);
  const cpuTicks = figure(FIELD.userTicks) + figure(FIELD.systemTicks);
  const [threads, startTicks] = [figure(FIELD.threads), figure(FIELD.startTicks)];
  const residentPages = Math.max(0, figure(FIELD.residentPages));
  if (Number.isNaN(cpuTicks + threads + startTicks + residentPages)) return null;
  const name = bytes.toString('utf8', open + 1, close);
  return { name, state: words[FIELD.state]?.[0] ?? '', cpuTicks, threads, startTicks, residentPages };
}
