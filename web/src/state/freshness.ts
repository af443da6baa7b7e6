import { createStore } from './store.ts';

/** The age of the figures on the screen; the top bar shows it beside the state of the connection. */
export interface Freshness {
  verb: 'updated' | 'reported';
  /** Epoch milliseconds of the newest figure; null while nothing is known. */
  at: number | null;
  /** True if the source of the figures went silent: no connection makes them live. */
  silent: boolean;
}

export const NOTHING_SHOWN: Freshness = { verb: 'updated', at: null, silent: false };

export const freshness = createStore<Freshness>(
  NOTHING_SHOWN,
  (a, b) => a.verb === b.verb && a.at === b.at && a.silent === b.silent,
);
