import { describe, expect, it } from 'vitest';
import { afterKey } from './palette-query.ts';

const plain = { ctrlKey: false, metaKey: false, altKey: false };
const typed = (keys: readonly string[]) =>
  keys.reduce((text, key) => afterKey(text, { key, ...plain }) ?? `${text}!`, '');

describe('typing before there is a field', () => {
  it('keeps letters in their order, spaces and corrections among them', () => {
    expect(typed(['d', 'b', ' ', '7', 'Backspace', 'Ü'])).toBe('db Ü');
    expect(typed(['Backspace', 'd'])).toBe('d');
  });

  it('leaves keys that type nothing, and shortcuts, to others', () => {
    for (const key of ['Escape', 'Enter', 'ArrowDown', 'Tab', 'F5', 'Shift', 'Dead'])
      expect(afterKey('db', { key, ...plain })).toBeNull();
    for (const held of ['ctrlKey', 'metaKey', 'altKey'])
      expect(afterKey('db', { key: 'k', ...plain, [held]: true })).toBeNull();
  });
});
