import { createStore } from './store.ts';

/** True while the browser prints: windows of long lists then draw all of their rows. */
export const printing = createStore(false);

const DARK = 'data-dark';
const LIGHT = 'data-light';

/** Prints every page in the light scheme; the screen has its own again afterwards. Returns what ends it. */
export function watchPrinting(page: Window, root: HTMLElement): () => void {
  let wasDark = false;
  const before = () => {
    wasDark = root.hasAttribute(DARK);
    if (wasDark) {
      root.removeAttribute(DARK);
      root.setAttribute(LIGHT, '');
    }
    printing.set(true);
  };
  const after = () => {
    if (wasDark) {
      root.removeAttribute(LIGHT);
      root.setAttribute(DARK, '');
    }
    printing.set(false);
  };
  page.addEventListener('beforeprint', before);
  page.addEventListener('afterprint', after);
  return () => {
    page.removeEventListener('beforeprint', before);
    page.removeEventListener('afterprint', after);
  };
}
