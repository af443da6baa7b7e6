import { setTimeout as delay } from 'node:timers/promises';
import type { Run } from '../dashboard/timed-calls.ts';
import { quantile } from '../ingest/load.ts';

/** One stretch of the run in one of the two states. */
export interface Block {
  withChecks: boolean;
  times: Run['times'];
  /** Per cent of one core, by process. */
  cpu: Record<string, number>;
}

export interface BlockOptions {
  pairs: number;
  settleMs: number;
  measureMs: number;
  cpu: Record<string, () => number>;
  /** Changes the state. Nothing is measured while it settles. */
  change: (withChecks: boolean) => Promise<unknown>;
  say: (line: string) => void;
}

/** Measures both states in turn; every other pair begins with the other one, so that a drift of the machine counts for both. */
export async function measureBlocks(run: Run & { isMeasuring: boolean }, options: BlockOptions): Promise<Block[]> {
  const { pairs, settleMs, measureMs, cpu, change, say } = options;
  const blocks: Block[] = [];
  for (let pair = 0; pair < pairs; pair += 1)
    for (const withChecks of pair % 2 === 0 ? [true, false] : [false, true]) {
      await change(withChecks);
      await delay(settleMs);
      run.times = new Map();
      const block: Block = { withChecks, times: run.times, cpu: {} };
      const before = Object.entries(cpu).map(([name, read]) => ({ name, read, used: read() }));
      const begun = performance.now();
      run.isMeasuring = true;
      await delay(measureMs);
      run.isMeasuring = false;
      const seconds = (performance.now() - begun) / 1000;
      for (const { name, read, used } of before) block.cpu[name] = (100 * (read() - used)) / seconds;
      blocks.push(block);
      say(`pair ${String(pair + 1)} of ${String(pairs)}, ${withChecks ? 'with' : 'without'} checks: done`);
    }
  return blocks;
}

const sortedBy = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const medianOf = (values: readonly number[]): number => quantile(sortedBy(values), 0.5);

const spread = (values: readonly number[], unit: string): string => {
  const sorted = sortedBy(values);
  const [least, most] = [sorted[0] ?? 0, sorted.at(-1) ?? 0];
  return `${medianOf(values).toFixed(1)} ${unit} (${least.toFixed(1)}–${most.toFixed(1)})`;
};

/** Prints a figure of each block in both states, and the differences of the pairs. */
export function printBoth(
  what: string,
  blocks: readonly Block[],
  unit: string,
  figure: (block: Block) => number,
): void {
  const of = (state: boolean): number[] => blocks.filter(({ withChecks }) => withChecks === state).map(figure);
  const [withThem, without] = [of(true), of(false)];
  const differences = withThem.map((value, pair) => value - (without[pair] ?? value));
  const slower = differences.filter((value) => value > 0).length;
  console.log(`${what}
  with checks    ${spread(withThem, unit)}
  without        ${spread(without, unit)}
  difference     ${spread(differences, unit)}; more with checks in ${String(slower)} of ${String(differences.length)} pairs`);
}
