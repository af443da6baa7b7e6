import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../ingest/load.ts';

/** Calls of a run that goes on until `until`, by `performance.now()`. */
export interface Run {
  until: number;
  /** Milliseconds of each answer, by what was asked. */
  times: Map<string, number[]>;
  measures: () => boolean;
  /** Answers 503: on a busy machine a call may find no connection of the database within five seconds. */
  refused: number;
}

export async function timed(run: Run, what: string, ask: () => Promise<Response>): Promise<void> {
  const begun = performance.now();
  const answer = await ask();
  const text = await answer.text();
  if (answer.status === 503) {
    run.refused += 1;
    return;
  }
  if (!answer.ok) throw new Error(`${what}: ${String(answer.status)} ${text.slice(0, 300)}`);
  if (!run.measures()) return;
  const times = run.times.get(what) ?? [];
  times.push(performance.now() - begun);
  run.times.set(what, times);
}

/** Asks at a time of its own, then again `everyMs` after each beginning, as a browser's timer does. */
export async function repeat(run: Run, everyMs: number, ask: (round: number) => Promise<void>): Promise<void> {
  await delay(Math.random() * everyMs);
  for (let round = 1, next = performance.now(); next < run.until; round += 1) {
    await ask(round);
    next += everyMs;
    if (next < run.until) await delay(Math.max(0, next - performance.now()));
  }
}

export interface Line {
  what: string;
  answers: number;
  p50: number;
  p95: number;
}
/** The slowest first. */
export const linesOf = (times: Run['times']): Line[] =>
  [...times]
    .map(([what, values]) => {
      const sorted = values.toSorted((a, b) => a - b);
      return { what, answers: sorted.length, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
    })
    .toSorted((a, b) => b.p95 - a.p95);

/** Prints each call with its ratio to the p95 of `baseline`. */
export function printLines(lines: readonly Line[], { baseline, reachMs }: { baseline: string; reachMs: number }): void {
  const base = lines.find(({ what }) => what === baseline)?.p95 ?? 1;
  console.log(`${'p50 ms'.padStart(8)}${'p95 ms'.padStart(8)}${'× base'.padStart(8)}${'answers'.padStart(9)}  call`);
  for (const { what, answers, p50, p95 } of lines) {
    const over = p95 > reachMs ? `  over ${String(reachMs)} ms` : '';
    const cells = [p50.toFixed(1).padStart(8), p95.toFixed(1).padStart(8), (p95 / base).toFixed(1).padStart(8)];
    console.log(`${cells.join('')}${String(answers).padStart(9)}  ${what}${over}`);
  }
}
