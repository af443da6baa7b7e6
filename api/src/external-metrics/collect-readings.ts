import { EXTERNAL_METRICS_LIMITS, SAMPLE_TIME_BOUNDS } from '@plimsoll/contract/rules/limits';
import type { FigureKey, Growth, MetricSource, Reading, Received, Value } from './types.ts';

const printable = (text: string): string =>
  text.replace(/\p{Cc}/gu, ' ').slice(0, EXTERNAL_METRICS_LIMITS.labelCharacters);

/** Returns the key of a figure. A label cannot contain the tab that separates them. */
export const figureKey = (figure: string, ...labels: readonly string[]): FigureKey =>
  [figure, ...labels.map(printable)].join('\t');

interface Open {
  source: MetricSource;
  intervalAt: number;
  values: Map<FigureKey, Value>;
  growths: Map<string, Growth>;
}

/** Gathers the samples of one request by server and report interval, the newest of each figure. */
export class ReadingCollector {
  readonly #receivedAt: number;
  readonly #intervalMs: number;
  readonly #open = new Map<string, Open>();
  readonly #identities = new Set<string>();
  #taken = 0;
  ignored = 0;
  #refused = 0;

  constructor(receivedAt: number, reportIntervalSeconds: number) {
    this.#receivedAt = receivedAt;
    this.#intervalMs = reportIntervalSeconds * 1000;
  }

  addValue(source: MetricSource, key: FigureKey, value: number, at: number): void {
    // Prometheus marks the end of a series with a NaN.
    if (!Number.isFinite(value)) return;
    const open = this.#intervalOf(source, at);
    if (open === null) return;
    const known = open.values.get(key);
    if (known === undefined || known[2] < at) open.values.set(key, [key, value, at]);
  }

  addGrowth(source: MetricSource, key: FigureKey, amount: number, { from, to }: { from: number; to: number }): void {
    if (!Number.isFinite(amount) || amount < 0 || !(to > from)) return;
    const open = this.#intervalOf(source, to);
    open?.growths.set(`${key}\t${String(from)}\t${String(to)}`, [key, amount, from, to]);
  }

  finish(): Received {
    const readings = [...this.#open.values()].map(({ source, intervalAt, values, growths }): Reading => ({
      source,
      intervalAt,
      values: [...values.values()],
      growths: [...growths.values()],
    }));
    return { readings, taken: this.#taken, ignored: this.ignored, refused: this.#refused };
  }

  #intervalOf(source: MetricSource, at: number): Open | null {
    const { past, future } = SAMPLE_TIME_BOUNDS;
    const isKnownTime = at >= this.#receivedAt - past * 1000 && at <= this.#receivedAt + future * 1000;
    const identity = `${source.agent}\t${source.identity}`;
    const isNew = !this.#identities.has(identity);
    if (!isKnownTime || (isNew && this.#identities.size >= EXTERNAL_METRICS_LIMITS.serversPerRequest)) {
      this.#refused += 1;
      return null;
    }
    this.#identities.add(identity);
    this.#taken += 1;
    const intervalAt = Math.floor(at / this.#intervalMs) * this.#intervalMs;
    const key = `${identity}\t${String(intervalAt)}`;
    let open = this.#open.get(key);
    if (open === undefined) {
      open = { source, intervalAt, values: new Map(), growths: new Map() };
      this.#open.set(key, open);
    }
    return open;
  }
}
