import { CHECK_LIMITS } from '@plimsoll/contract/rules/check-limits';
import type { CollectorCheck } from '@plimsoll/contract/wire/check-probes';

/** Two starts of one check are at least this far apart. */
const LEAST_MS = CHECK_LIMITS.intervalSeconds.min * 1000;

/** Decides which check starts when. Times are milliseconds of one steady clock. */
export class CheckSchedule {
  readonly #due = new Map<string, { check: CollectorCheck; at: number }>();
  readonly #running = new Set<string>();
  /** By id, also of checks that are gone: an answer of the API that drops and adds a check must not run it sooner. */
  readonly #lastStart = new Map<string, number>();
  #nextStart = 0;

  get size(): number {
    return this.#due.size;
  }

  /** Takes a new list. A check that is new or was changed is due at once, any other keeps its turn. */
  replace(checks: readonly CollectorCheck[], now: number): void {
    const before = new Map(this.#due);
    this.#due.clear();
    for (const check of checks) {
      const known = before.get(check.check_id);
      const isSame = known?.check.check_rev === check.check_rev;
      const least = (this.#lastStart.get(check.check_id) ?? -Infinity) + LEAST_MS;
      this.#due.set(check.check_id, { check, at: isSame && known ? known.at : Math.max(now, least) });
    }
    this.#forget(now);
  }

  #forget(now: number): void {
    for (const [id, at] of this.#lastStart) if (!this.#due.has(id) && now - at > LEAST_MS) this.#lastStart.delete(id);
  }

  /** Returns the check to start now; null: none is due, or the rate or the number of running ones is reached. */
  take(now: number): CollectorCheck | null {
    if (now < this.#nextStart || this.#running.size >= CHECK_LIMITS.atOnce) return null;
    let first: { check: CollectorCheck; at: number } | null = null;
    for (const one of this.#due.values())
      if (one.at <= now && !this.#running.has(one.check.check_id) && (first === null || one.at < first.at)) first = one;
    if (first === null) return null;
    const { check } = first;
    const intervalMs = check.interval_seconds * 1000;
    // After a suspension the missed turns are not made up for; a start that was late keeps its distance to the next.
    first.at = first.at + intervalMs > now ? Math.max(first.at + intervalMs, now + LEAST_MS) : now + intervalMs;
    this.#nextStart = now + CHECK_LIMITS.startGapMs;
    this.#lastStart.set(check.check_id, now);
    this.#running.add(check.check_id);
    return check;
  }

  ended(id: string): void {
    this.#running.delete(id);
  }

  /** Returns the milliseconds until a check may start; null: there is none. */
  wait(now: number): number | null {
    let next: number | null = null;
    for (const { check, at } of this.#due.values())
      if (!this.#running.has(check.check_id) && (next === null || at < next)) next = at;
    return next === null ? null : Math.max(0, next - now, this.#nextStart - now);
  }
}
