import { describe, expect, it } from 'vitest';
import { createShortcuts, GO_TO, neighbour } from './shortcuts.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false };
const press = (key: string) => ({ key, ...plain });

describe('shortcuts', () => {
  it('goes to a page with g and its letter', () => {
    const read = createShortcuts();
    expect(read(press('g'), false, 0)).toBeNull();
    expect(read(press('d'), false, 1000)).toEqual({ kind: 'go', to: '/' });
    expect(read(press('d'), false, 1100)).toBeNull();
  });

  it('forgets a g that waits too long', () => {
    const read = createShortcuts();
    read(press('g'), false, 0);
    expect(read(press('s'), false, 1501)).toBeNull();
  });

  it('leaves typing alone, except for the palette', () => {
    const read = createShortcuts();
    expect(read(press('?'), true, 0)).toBeNull();
    expect(read(press('g'), true, 0)).toBeNull();
    expect(read(press('d'), false, 10)).toBeNull();
    expect(read({ ...press('k'), ctrlKey: true }, true, 0)).toEqual({ kind: 'palette' });
    expect(read({ ...press('K'), metaKey: true }, false, 0)).toEqual({ kind: 'palette' });
  });

  it('knows help, search and the neighbours', () => {
    const read = createShortcuts();
    expect(read(press('?'), false, 0)).toEqual({ kind: 'help' });
    expect(read(press('/'), false, 0)).toEqual({ kind: 'search' });
    expect(read(press(']'), false, 0)).toEqual({ kind: 'neighbour', step: 1 });
    expect(read({ ...press('/'), altKey: true }, false, 0)).toBeNull();
    expect(read(press('x'), false, 0)).toBeNull();
  });
});

describe('neighbour', () => {
  it('goes round', () => {
    expect(neighbour(['a', 'b', 'c'], 'c', 1)).toBe('a');
    expect(neighbour(['a', 'b', 'c'], 'a', -1)).toBe('c');
    expect(neighbour(['a'], 'a', 1)).toBeNull();
    expect(neighbour(['a', 'b'], 'x', 1)).toBeNull();
  });
});

it('waits a second and a half for the letter after g, and that long is enough', () => {
  const read = createShortcuts();
  read(press('g'), false, 0);
  expect(read(press('s'), false, 1500)).toEqual({ kind: 'go', to: '/servers' });
  // The time of an event counts from the start of the page: its first key is no second one.
  expect(createShortcuts()(press('s'), false, 0)).toBeNull();
});

it('leaves keys alone that the browser or a keyboard of another language needs', () => {
  const read = createShortcuts();
  expect(read({ ...press('k'), ctrlKey: true, altKey: true }, false, 0)).toBeNull();
  expect(read({ ...press('g'), ctrlKey: true }, false, 0)).toBeNull();
  expect(read(press('s'), false, 10)).toBeNull();
});

it('goes to every page by a letter of its own', () => {
  const keys = GO_TO.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { key, to } of GO_TO) {
    const read = createShortcuts();
    read(press('g'), false, 0);
    expect(read(press(key.toUpperCase()), false, 1)).toEqual({ kind: 'go', to });
  }
});
