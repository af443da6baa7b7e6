import { useSyncExternalStore } from 'react';
import type { Store } from './store.ts';

/** The value of a store and how to change it. */
export function useStored<T>(stored: Store<T>): [T, (value: T) => void] {
  return [useSyncExternalStore(stored.subscribe, stored.get), stored.set];
}
