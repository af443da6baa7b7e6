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

  /** Takes a text about the machine, which is all in its key. */
  addFact(source: MetricSource, key: FigureKey, at: number): void {
    if (this.#identities.has(identityOf(source))) this.#openInterval(source, at)?.values.set(key, [key, 1, at]);
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

  /** Counts a sample. Null: it is out of bounds. */
  #intervalOf(source: MetricSource, at: number): Open | null {
    const open = this.#openInterval(source, at);
    if (open === null) this.#refused += 1;
    else this.#taken += 1;
    return open;
  }

  #openInterval(source: MetricSource, at: number): Open | null {
    const { past, future } = SAMPLE_TIME_BOUNDS;
    const isKnownTime = at >= this.#receivedAt - past * 1000 && at <= this.#receivedAt + future * 1000;
    const identity = identityOf(source);
    const isNew = !this.#identities.has(identity);
    if (!isKnownTime || (isNew && this.#identities.size >= EXTERNAL_METRICS_LIMITS.serversPerRequest)) return null;
    this.#identities.add(identity);
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

const identityOf = ({ agent, identity }: MetricSource): string => `${agent}\t${identity}`;
