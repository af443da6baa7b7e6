import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { printing } from '../../state/printing.ts';
import { useStored } from '../../state/use-stored.ts';
import { rowWindow, type RowWindow } from './row-window.ts';

/** Up to this many cards all are drawn; above, those in sight. */
const CARDS_DRAWN_WHOLE = 24;

/** Size of one card: its height before one was measured, and the distance between two rows. */
export interface CardSize {
  px: number;
  gapPx: number;
  /** Up to this many all are drawn. */
  drawnWhole?: number;
}

/** Rows to draw, and how many cards stand in one. */
interface Drawn extends RowWindow {
  columns: number;
}

function rowsOf(columns: number, count: number, rowPx: number, topPx: number): Drawn {
  const rows = Math.ceil(count / columns);
  return { columns, ...rowWindow(rows, rowPx, { fromPx: -topPx, toPx: window.innerHeight - topPx }) };
}

function measured(grid: HTMLElement, count: number, { px, gapPx }: Pick<CardSize, 'px' | 'gapPx'>): Drawn {
  const card = grid.querySelector(':scope > :not([aria-hidden])');
  const columns = getComputedStyle(grid).gridTemplateColumns.split(' ').length;
  const rowPx = (card?.getBoundingClientRect().height ?? px) + gapPx;
  return rowsOf(columns, count, rowPx, grid.getBoundingClientRect().top);
}

const isSame = (a: Drawn, b: Drawn) =>
  a.columns === b.columns && a.first === b.first && a.end === b.end && a.above === b.above && a.below === b.below;

/** The cards of a grid, or lines of a list, to draw while the window scrolls: all of a small fleet, those in sight of a large one. */
export function useCardWindow<T extends HTMLElement>(count: number, size: CardSize): [RefObject<T | null>, RowWindow] {
  const ref = useRef<T>(null);
  const { px, gapPx, drawnWhole = CARDS_DRAWN_WHOLE } = size;
  const [all] = useStored(printing);
  const whole = all || count <= drawnWhole;
  const [drawn, setDrawn] = useState<Drawn>(() => rowsOf(1, count, px + gapPx, 0));
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null || whole) return undefined;
    const look = () => {
      const next = measured(element, count, { px, gapPx });
      setDrawn((before) => (isSame(before, next) ? before : next));
    };
    // In the frame of the scroll: one later, a fast scroll would show rows that are not drawn yet.
    const lookNow = () => flushSync(look);
    look();
    // Content above the grid grows when it loads, and the grid grows with the sidebar.
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    observer.observe(element);
    window.addEventListener('scroll', lookNow, { passive: true });
    window.addEventListener('resize', look);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', lookNow);
      window.removeEventListener('resize', look);
    };
  }, [whole, count, px, gapPx]);
  if (whole) return [ref, { first: 0, end: count, above: 0, below: 0 }];
  const { columns, first, end, above, below } = drawn;
  return [ref, { first: first * columns, end: Math.min(count, end * columns), above, below }];
}
