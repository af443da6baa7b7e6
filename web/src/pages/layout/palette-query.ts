import { createStore } from '../../state/store.ts';

/** Text typed into the palette, also while its script is still loading. */
export const paletteQuery = createStore('');

/** The part of a key event that typing needs. */
export interface TypedKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** The text once the key was pressed; null for a key that types nothing. */
export function afterKey(text: string, { key, ctrlKey, metaKey, altKey }: TypedKey): string | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'Backspace') return text.slice(0, -1);
  return key.length === 1 ? text + key : null;
}
