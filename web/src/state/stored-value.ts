import type { Store } from './store.ts';

interface Codec<T> {
  /** `raw` null: nothing stored. */
  parse(raw: string | null): T;
  /** Null removes the key. */
  format(value: T): string | null;
}

function readRaw(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function writeRaw(key: string, raw: string | null): void {
  try {
    if (raw === null) localStorage.removeItem(key);
    else localStorage.setItem(key, raw);
  } catch {
    // Blocked or full: the value lives as long as the page.
  }
}

/**
 * A value kept in the browser's local storage, shared by all tabs; memory only where storage is blocked.
 * Reads are cached, so that equal reads give the same object (React's external stores require it).
 */
export function storedValue<T>(key: string, codec: Codec<T>): Store<T> {
  const listeners = new Set<() => void>();
  let cached: { value: T } | null = null;
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const onStorage = (event: StorageEvent) => {
    if (event.key !== null && event.key !== key) return;
    cached = null;
    notify();
  };
  return {
    get: () => {
      cached ??= { value: codec.parse(readRaw(key)) };
      return cached.value;
    },
    set: (value) => {
      cached = { value };
      writeRaw(key, codec.format(value));
      notify();
    },
    subscribe: (listener) => {
      if (listeners.size === 0 && typeof window !== 'undefined') window.addEventListener('storage', onStorage);
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0 && typeof window !== 'undefined') window.removeEventListener('storage', onStorage);
      };
    },
  };
}

/** A set of ids, newest last; the oldest are forgotten past `limit`. */
export const idList = (limit: number): Codec<readonly string[]> => ({
  parse(raw) {
    try {
      const value: unknown = JSON.parse(raw ?? '[]');
      return Array.isArray(value) ? value.filter((id) => typeof id === 'string') : [];
    } catch {
      return [];
    }
  },
  format: (ids) => JSON.stringify(ids.slice(-limit)),
});

export const flag = (fallback: boolean): Codec<boolean> => ({
  parse: (raw) => (raw === null ? fallback : raw === 'true'),
  format: String,
});

export const optionalText: Codec<string | null> = { parse: (raw) => raw, format: (value) => value };
