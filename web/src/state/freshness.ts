import { createStore } from './store.ts';

/** When the newest figure on the screen was taken; the top bar shows its age. */
export interface Freshness {
  verb: 'updated' | 'reported';
  /** Epoch milliseconds; null while nothing is known. */
  at: number | null;
}

export const freshness = createStore<Freshness>(
  { verb: 'updated', at: null },
  (a, b) => a.verb === b.verb && a.at === b.at,
);
