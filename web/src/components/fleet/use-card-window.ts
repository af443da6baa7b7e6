import { useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { printing } from '../../state/printing.ts';
import { useStored } from '../../state/use-stored.ts';
import { cardWindow } from './row-window.ts';
import type { GridSight, RowWindow } from './row-window.ts';

/** Up to this many cards all are drawn; above, those in sight. */
const CARDS_DRAWN_WHOLE = 24;

/** What one card takes: its height before one was measured, and what lies between two rows. */
export interface CardSize {
  px: number;
  gapPx: number;
}

function sightOf(grid: HTMLElement, { px, gapPx }: CardSize): GridSight {
  const card = grid.querySelector(':scope > :not([aria-hidden])');
  const rowPx = (card?.getBoundingClientRect().height ?? px) + gapPx;
  return {
    columns: getComputedStyle(grid).gridTemplateColumns.split(' ').length,
    rowPx,
    // By whole rows: less movement changes nothing that is drawn.
    top: Math.floor(-grid.getBoundingClientRect().top / rowPx) * rowPx,
    viewportPx: Math.ceil(window.innerHeight / rowPx + 1) * rowPx,
  };
}

const isSame = (a: GridSight, b: GridSight) =>
  a.columns === b.columns && a.rowPx === b.rowPx && a.top === b.top && a.viewportPx === b.viewportPx;

/** The cards of a grid, or lines of a list, to draw while the window scrolls: all of a small fleet, those in sight of a large one. */
export function useCardWindow<T extends HTMLElement>(count: number, size: CardSize): [RefObject<T | null>, RowWindow] {
  const grid = useRef<T>(null);
  const { px, gapPx } = size;
  const [all] = useStored(printing);
  const whole = all || count <= CARDS_DRAWN_WHOLE;
  const [sight, setSight] = useState<GridSight>({ columns: 1, rowPx: px + gapPx, top: 0, viewportPx: 0 });
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null || whole) return undefined;
    const look = () => {
      const next = sightOf(element, { px, gapPx });
      setSight((before) => (isSame(before, next) ? before : next));
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    window.addEventListener('resize', look);
    // What stands above the grid grows when it loads, and the grid with the sidebar.
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    observer.observe(element);
    return () => {
      window.removeEventListener('scroll', look);
      window.removeEventListener('resize', look);
      observer.disconnect();
    };
  }, [whole, px, gapPx]);
  return [grid, whole ? { first: 0, end: count, above: 0, below: 0 } : cardWindow(count, sight)];
}
