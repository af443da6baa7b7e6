import { execFileSync } from 'node:child_process';
import { quantile } from '../ingest/load.ts';

/** The cost of a server of either kind on this machine for the same work. */
export interface ServerFigures {
  name: string;
  /** From the start of the agent, with the server ready, until a query answers: any figure, and the use of the CPU. */
  firstSeconds: number;
  firstCpuSeconds: number;
  /** CPU of the server, of one host's minute. */
  cpuMsPerHost: number;
  /** Figures of one host's minute that a query finds later. */
  figuresPerHost: number;
  /** On disk, a day of the fleet divided by its figures. */
  bytesPerFigure: number;
  /** Milliseconds, ascending. */
  oneHost: number[];
  fleet: number[];
}

export const FLEET = 200;
export const INTERVAL_SECONDS = 60;
export const DAY_MS = 24 * 3_600_000;
/** Seconds between two points of a chart of a day, as ours. */
export const STEP_SECONDS = 300;
const ASKED = 40;

/** Milliseconds of forty answers one after the other, ascending; the first five warm up and do not count. */
export async function timesOf(ask: () => Promise<Response>): Promise<number[]> {
  const times: number[] = [];
  for (let round = -5; round < ASKED; round += 1) {
    const begun = performance.now();
    const answer = await ask();
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url} answered ${String(answer.status)}: ${text.slice(0, 200)}`);
    if (round >= 0) times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b);
}

export const described = (times: readonly number[]): string =>
  [0.5, 0.95].map((share) => quantile(times, share).toFixed(0)).join(' / ');

/** Bytes of all files below a folder. */
export const bytesIn = (folder: string): number =>
  Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0]);

/** A slow wave of its own for each host and figure, with two decimals, as a collector sends it. */
export const waveAt = (host: number, figure: number, atSeconds: number): number =>
  Math.round(100 * (50 + 30 * Math.sin(atSeconds / (2500 + (host % 7) * 900) + host * figure * 0.7))) / 100;
