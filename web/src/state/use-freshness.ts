import { useEffect } from 'react';
import { freshness } from './freshness.ts';
import type { Freshness } from './freshness.ts';

/** Tells the top bar how old this page's figures are. */
export function useFreshness(verb: Freshness['verb'], at: number | null): void {
  useEffect(() => freshness.set({ verb, at }), [verb, at]);
}
