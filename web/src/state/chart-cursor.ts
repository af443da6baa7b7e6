import { createStore } from './store.ts';

/** The moment under the pointer, in epoch seconds, shared by every chart of the page; null when none is. */
export const cursor = createStore<number | null>(null);
