import { createStore } from './store.ts';

/** True: screens ask again by themselves. False (paused): they keep what they show until asked. */
export const liveness = createStore(true);
