/** Kinds of CPU time by the names that kernels and agents give them. */

/** `guest` is inside `user` already (proc(5)). Steal and system are busy, idle and IO wait are not. */
export type CpuKind = 'idle' | 'io-wait' | 'steal' | 'user' | 'system' | 'guest';

const KINDS: Partial<Record<string, CpuKind>> = {
  idle: 'idle',
  iowait: 'io-wait',
  wait: 'io-wait',
  steal: 'steal',
  stolen: 'steal',
  user: 'user',
  nice: 'user',
  guest: 'guest',
  guest_nice: 'guest',
};

/**
 * Returns the kind of a mode. A mode that is not listed is time of the kernel, so it is busy: "interrupt" of FreeBSD,
 * "kernel" of Solaris, "spin" of OpenBSD, "dpc" of Windows, "softirq", and what later kernels will add.
 */
export const cpuKind = (mode: string): CpuKind => KINDS[mode.toLowerCase()] ?? 'system';
