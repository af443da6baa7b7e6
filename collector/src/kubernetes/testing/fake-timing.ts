import type { Timing } from '../watch/timing.ts';

/** Waits pass at once and are written down; alarms ring only when the test says so. */
export class FakeTiming implements Timing {
  readonly waits: number[] = [];
  readonly #alarms = new Set<() => void>();
  #now: number;

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }
  advance(ms: number): void {
    this.#now += ms;
  }
  wait(ms: number, signal: AbortSignal): Promise<void> {
    this.waits.push(ms);
    return new Promise((resolve) => {
      if (!signal.aborted) this.#now += ms;
      setImmediate(resolve);
    });
  }
  alarm(_ms: number, ring: () => void): () => void {
    this.#alarms.add(ring);
    return () => this.#alarms.delete(ring);
  }
  /** Every alarm that is set goes off. */
  ring(): void {
    for (const ring of this.#alarms) ring();
  }
  random(): number {
    return 0.999;
  }
}
