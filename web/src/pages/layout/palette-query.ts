import { createStore } from '../../state/store.ts';

/** What is typed into the palette, also before it is there: its script is fetched when it is first asked for. */
export const paletteQuery = createStore('');

/** A pressed key, as far as typing goes. */
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
