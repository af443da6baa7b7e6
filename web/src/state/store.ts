/** A value that tells who listens when it changes; React reads it with `useStored`. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Returns the way to stop listening. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<T>(initial: T, same: (a: T, b: T) => boolean = Object.is): Store<T> {
  let current = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      if (same(value, current)) return;
      current = value;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
