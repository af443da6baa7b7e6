import { createStore } from './store.ts';

/** True: screens poll. False (paused): they keep their content until the user refreshes. */
export const liveness = createStore(true);
