import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { onTick } from '../time/clock.ts';
import { createStore } from './store.ts';

describe('a store', () => {
  it('tells who listens of a change, of nothing else, and only while they listen', () => {
    const store = createStore(1);
    const heard = vi.fn<() => void>();
    const stop = store.subscribe(heard);
    store.set(1);
    expect(heard).not.toHaveBeenCalled();
    store.set(2);
    expect([heard.mock.calls.length, store.get()]).toEqual([1, 2]);
    stop();
    store.set(3);
    expect(heard).toHaveBeenCalledTimes(1);
  });

  it('keeps the old object while the new one says the same', () => {
    const first = { at: 5 };
    const store = createStore<{ at: number | null }>(first, (a, b) => a.at === b.at);
    store.set({ at: 5 });
    expect(store.get()).toBe(first);
    store.set({ at: null });
    expect(store.get()).toEqual({ at: null });
  });

  it('is not confused by a listener that stops while it is told', () => {
    const store = createStore(0);
    const heard: string[] = [];
    const stop = store.subscribe(() => {
      heard.push('first');
      stop();
    });
    store.subscribe(() => heard.push('second'));
    store.set(1);
    store.set(2);
    expect(heard).toEqual(['first', 'second', 'second']);
  });
});

describe('the clock of all ages', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it('is one timer, however many listen, and none when nobody does', () => {
    const heard = [vi.fn<() => void>(), vi.fn<() => void>()];
    expect(vi.getTimerCount()).toBe(0);
    const stops = heard.map((each) => onTick(each));
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(3000);
    expect(heard.map((each) => each.mock.calls.length)).toEqual([3, 3]);
    stops[0]?.();
    vi.advanceTimersByTime(1000);
    expect(heard.map((each) => each.mock.calls.length)).toEqual([3, 4]);
    stops[1]?.();
    expect(vi.getTimerCount()).toBe(0);
    // Stopping twice stops no other listener.
    const stop = onTick(heard[0]!);
    stops[1]?.();
    expect(vi.getTimerCount()).toBe(1);
    stop();
  });
});
