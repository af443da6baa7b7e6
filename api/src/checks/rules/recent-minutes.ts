import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import type { LatestResult } from '../types.ts';

/** A power of two above the minutes that a list shows. */
const RING = 128;
const [NONE, UP, DOWN] = [0, 1, 2] as const;
/** Results may lie this far ahead of the clock that reads them. */
const AHEAD_MINUTES = 2;

export type RecentResult = Omit<LatestResult, 'checkKey'>;

/** The last minutes of many checks and the last result of each place. Results come in any order, each once. */
export class RecentMinutes {
  readonly #minutes = new Map<number, Uint8Array>();
  readonly #latest = new Map<number, Map<number, RecentResult>>();
  /** The newest minute that has room. */
  #head = -Infinity;

  /** Makes room for the minutes up to now. Older ones than the ring holds are dropped. */
  advance(now: number): void {
    const head = Math.floor(now / MINUTE_MS) + AHEAD_MINUTES;
    if (head <= this.#head) return;
    const steps = Math.min(RING, head - this.#head);
    for (const ring of this.#minutes.values())
      for (let step = 0; step < steps; step += 1) ring[(head - step) % RING] = NONE;
    this.#head = head;
  }

  add(checkKey: number, result: RecentResult): void {
    const places = this.#latest.get(checkKey) ?? new Map<number, RecentResult>();
    this.#latest.set(checkKey, places);
    if ((places.get(result.placeKey)?.at ?? -Infinity) <= result.at) places.set(result.placeKey, result);
    const minute = Math.floor(result.at / MINUTE_MS);
    // No vote is no minute.
    if (result.ok === null || minute > this.#head || minute <= this.#head - RING) return;
    const ring = this.#minutes.get(checkKey) ?? new Uint8Array(RING);
    this.#minutes.set(checkKey, ring);
    ring[minute % RING] = Math.max(ring[minute % RING] ?? NONE, result.ok ? UP : DOWN);
  }

  /** Returns the last result of each place since a moment. */
  latestOf(checkKeys: readonly number[], from: number): LatestResult[] {
    return checkKeys.flatMap((checkKey) =>
      [...(this.#latest.get(checkKey)?.values() ?? [])]
        .filter(({ at }) => at >= from)
        .map((result) => ({ checkKey, ...result })),
    );
  }

  /** Returns for `count` minutes up to `last` whether every place found it good; null: no place looked. */
  minutesOf(checkKey: number, last: number, count: number): (boolean | null)[] {
    const ring = this.#minutes.get(checkKey);
    return Array.from({ length: count }, (_, index) => {
      const minute = last - count + 1 + index;
      const kind = ring === undefined || minute <= this.#head - RING ? NONE : ring[minute % RING];
      return kind === UP ? true : kind === DOWN ? false : null;
    });
  }
}
