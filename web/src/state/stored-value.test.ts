import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { flag, idList, optionalText, storedValue } from './stored-value.ts';

class MemoryStorage {
  readonly items = new Map<string, string>();
  getItem = (key: string) => this.items.get(key) ?? null;
  setItem = (key: string, value: string) => void this.items.set(key, value);
  removeItem = (key: string) => void this.items.delete(key);
}

describe('storedValue', () => {
  let storage: MemoryStorage;
  beforeEach(() => {
    storage = new MemoryStorage();
    vi.stubGlobal('localStorage', storage);
  });
  afterEach(() => vi.unstubAllGlobals());

  it('remembers across instances and tells its listeners', () => {
    const first = storedValue('k', flag(true));
    const heard = vi.fn<() => void>();
    const stop = first.subscribe(heard);
    first.set(false);
    expect(heard).toHaveBeenCalledTimes(1);
    stop();
    first.set(true);
    expect(heard).toHaveBeenCalledTimes(1);
    storage.setItem('k', 'false');
    expect(storedValue('k', flag(true)).get()).toBe(false);
  });

  it('removes the key for null', () => {
    const token = storedValue('t', optionalText);
    token.set('secret');
    expect(storage.items.get('t')).toBe('secret');
    token.set(null);
    expect(storage.items.has('t')).toBe(false);
  });

  it('works from memory where storage throws', () => {
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new Error('blocked');
      },
      setItem: () => {
        throw new Error('blocked');
      },
    });
    const value = storedValue('k', flag(false));
    expect(value.get()).toBe(false);
    value.set(true);
    expect(value.get()).toBe(true);
  });

  it('gives the same object for equal reads', () => {
    const ids = storedValue('ids', idList(3));
    expect(ids.get()).toBe(ids.get());
  });
});

describe('idList', () => {
  it('reads rubbish as empty and keeps the newest ids', () => {
    expect(idList(2).parse('{"a":1}')).toEqual([]);
    expect(idList(2).parse('not json')).toEqual([]);
    expect(idList(2).parse('["a",1,"b"]')).toEqual(['a', 'b']);
    expect(idList(2).format(['a', 'b', 'c'])).toBe('["b","c"]');
  });
});
