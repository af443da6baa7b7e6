import { useEffect } from 'react';
import { freshness, NOTHING_SHOWN } from './freshness.ts';
import type { Freshness } from './freshness.ts';

/** Shows the age of this page's figures in the top bar until the page is left. `silent`: their source went silent. */
export function useFreshness(verb: Freshness['verb'], at: number | null, silent = false): void {
  useEffect(() => {
    freshness.set({ verb, at, silent });
    return () => freshness.set(NOTHING_SHOWN);
  }, [verb, at, silent]);
}
