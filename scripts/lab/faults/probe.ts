import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../bench/ingest/load.ts';

const EVERY_MS = 20;

export interface Probed {
  answers: number;
  failures: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  most: number;
}

/** Requests an address again and again, from a connection of its own. */
export function startProbe(url: string): { stop(): Promise<Probed> } {
  const latencies: number[] = [];
  let failures = 0;
  const over = new AbortController();
  const run = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const begun = performance.now();
      const isOk = await fetch(url).then(
        async (response) => (await response.text()) !== '' && response.ok,
        () => false,
      );
      if (isOk) latencies.push(performance.now() - begun);
      else failures += 1;
      await delay(EVERY_MS);
    }
  };
  const running = run();
  return {
    stop: async () => {
      over.abort();
      await running;
      const sorted = latencies.toSorted((a, b) => a - b);
      const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
      return { answers: sorted.length, failures, p50, p99, most: sorted.at(-1) ?? 0 };
    },
  };
}

export const describeProbe = ({ answers, failures, p50, p99, most }: Probed): string =>
  `${String(answers)} answers, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, longest ${most.toFixed(0)} ms, ${String(failures)} failed`;
