import type { FigureKey, Growth, Value } from './types.ts';

/** Growth of a counter over some seconds. */
export interface Grown {
  amount: number;
  seconds: number;
}

/** Counters further apart are not compared: their mean would say little of the minute that it is stored for. */
const MOST_SECONDS = 300;

/** The values of one report interval, with those of the interval that was reported before it. */
export class Figures {
  readonly #now: ReadonlyMap<FigureKey, Value>;
  readonly #before: ReadonlyMap<FigureKey, Value>;
  readonly #growths = new Map<FigureKey, Grown>();
  /** When the newest value was measured. */
  readonly at: number;

  constructor(now: readonly Value[], before: readonly Value[], growths: readonly Growth[]) {
    this.#now = newest(now);
    this.#before = newest(before);
    // A request that was sent twice brings the same difference twice.
    const distinct = new Map(
      growths.map((growth) => [`${growth[0]}\t${String(growth[2])}\t${String(growth[3])}`, growth]),
    );
    for (const [key, amount, from, to] of distinct.values()) {
      const known = this.#growths.get(key) ?? { amount: 0, seconds: 0 };
      this.#growths.set(key, { amount: known.amount + amount, seconds: known.seconds + (to - from) / 1000 });
    }
    // A loop, because a function takes no more than some ten thousand arguments.
    let newestAt = -Infinity;
    for (const [, , at] of this.#now.values()) newestAt = Math.max(newestAt, at);
    for (const [, , , to] of growths) newestAt = Math.max(newestAt, to);
    this.at = newestAt;
  }

  value(key: FigureKey): number | null {
    return this.#now.get(key)?.[1] ?? null;
  }

  /** Null: unknown, or the counter began anew. */
  grown(key: FigureKey): Grown | null {
    const changed = this.changed(key);
    return changed === null || changed.amount < 0 ? null : changed;
  }

  /** Returns the change of a counter, below 0 where it fell. Null: unknown. */
  changed(key: FigureKey): Grown | null {
    const known = this.#growths.get(key);
    if (known !== undefined) return known;
    const [now, before] = [this.#now.get(key), this.#before.get(key)];
    if (now === undefined || before === undefined) return null;
    const [amount, seconds] = [now[1] - before[1], (now[2] - before[2]) / 1000];
    return seconds <= 0 || seconds > MOST_SECONDS ? null : { amount, seconds };
  }

  perSecond(key: FigureKey): number | null {
    const grown = this.grown(key);
    return grown === null ? null : grown.amount / grown.seconds;
  }

  /** Returns true for a counter that has a value and no rate: it began anew, or this is its first value. */
  lostRate(key: FigureKey): boolean {
    return this.value(key) !== null && this.perSecond(key) === null;
  }

  /** Returns the labels of every value of a figure, the newest value first. */
  labelsOf(figure: string): string[][] {
    const keys = new Map<FigureKey, number>([...this.#growths.keys()].map((key) => [key, this.at]));
    for (const [key, , at] of this.#now.values()) keys.set(key, at);
    return [...keys]
      .filter(([key]) => key.startsWith(`${figure}\t`))
      .toSorted(([, a], [, b]) => b - a)
      .map(([key]) => key.split('\t').slice(1));
  }

  /** Seconds that the rates are means of; null: nothing to compare with. */
  get windowSeconds(): number | null {
    const grown = [...this.#now.keys(), ...this.#growths.keys()].map((key) => this.grown(key)?.seconds ?? 0);
    const longest = grown.reduce((most, seconds) => Math.max(most, seconds), 0);
    return longest > 0 ? longest : null;
  }
}

function newest(values: readonly Value[]): Map<FigureKey, Value> {
  const byKey = new Map<FigureKey, Value>();
  for (const value of values) {
    const known = byKey.get(value[0]);
    if (known === undefined || known[2] < value[2]) byKey.set(value[0], value);
  }
  return byKey;
}
