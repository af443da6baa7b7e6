import { z } from 'zod';

/**
 * Bounds of the numbers on the wire. Each is the most that its source can hold, so that no collector exceeds it, old ones
 * included. Where a source is known to deliver nonsense (sensors, counters), `measured` makes it null and keeps the rest of
 * the report.
 */
export const MOST = {
  /** Whole numbers that JSON carries exactly. It is 8 PiB − 1 byte. */
  exact: Number.MAX_SAFE_INTEGER,
  /** int32 of the Kubernetes API (replicas, restartCount, exitCode, count of an event) and of the kernel's socket counters. */
  int32: 2_147_483_647,
  /** PID_MAX_LIMIT of a 64-bit Linux kernel; macOS ends at 99,998. */
  pid: 4_194_304,
  /** FUTEX_TID_MASK, the kernel's limit of threads. */
  threads: 2 ** 30,
  /** Port numbers have 16 bits. */
  port: 65_535,
  /** A logical CPU more than NR_CPUS_RANGE_END of Linux on x86-64 does not exist. */
  cpus: 8192,
  /** CLOCK_BOOTTIME counts nanoseconds in 63 bits: 292 years. */
  uptimeSeconds: 9_223_372_036,
  /** Year 5138. JavaScript's Date ends in the year 275760, PostgreSQL's timestamptz in 294276. */
  epochSeconds: 1e11,
  /** 8 Pbit/s, and as many operations: 10,000 times the fastest network interface. */
  rate: 1e15,
  /** Per cent of one core, for 10,000 cores. */
  processCpuPercent: 1e6,
  /** Hotter than any sensor measures; drivers report 65,261 °C for "no limit". */
  celsius: 1000,
} as const;

/**
 * A figure below this is 0. PostgreSQL's `real` ends at 1.2e-38 and fails below it; the mean of some samples is less than
 * the least of them, so the limit lies far above.
 */
const LEAST = 1e-12;
const withoutUnderflow = (value: number): number => (Math.abs(value) < LEAST ? 0 : value);

export const bounded = (most: number) => z.number().nonnegative().max(most).overwrite(withoutUnderflow);
/** Declares an optional figure. A value out of bounds becomes null, so a bad figure does not reject the report. */
export const measured = (least: number, most: number) =>
  z
    .number()
    .nullable()
    .transform((value) => (value === null || value < least || value > most ? null : withoutUnderflow(value)));

export const count = z.int().nonnegative();
export const int32 = z.int().nonnegative().max(MOST.int32);
export const bytes = bounded(MOST.exact);
export const rate = bounded(MOST.rate);
export const percent = bounded(100);
export const at = bounded(MOST.epochSeconds);
export const uptime = bounded(MOST.uptimeSeconds);
