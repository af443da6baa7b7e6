import { createStore } from './store.ts';

/** The address that the operator set; null: the one in the address bar is all that is known. */
export const publicUrl = createStore<string | null>(null);
