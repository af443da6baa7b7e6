import { useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { printing } from '../../state/printing.ts';
import { useStored } from '../../state/use-stored.ts';
import { rowWindow, type RowWindow } from './row-window.ts';

/** Up to this many cards all are drawn; above, those in sight. */
const CARDS_DRAWN_WHOLE = 24;
/** Px drawn beyond what is in sight, on each side, and rows at least. */
const MARGIN_PX = 256;
const LEAST_MARGIN_ROWS = 2;

/** Size of one card: its height before one was measured, and the distance between two rows. */
export interface CardSize {
  px: number;
  gapPx: number;
  /** Up to this many all are drawn. */
  drawnWhole?: number;
}

interface Grid {
  columns: number;
  /** From one row to the next. */
  rowPx: number;
  /** The grid's distance from the top of the page. */
  topPx: number;
}

function measured(grid: HTMLElement, { px, gapPx }: Pick<CardSize, 'px' | 'gapPx'>): Grid {
  const card = grid.querySelector(':scope > :not([aria-hidden])');
  return {
    columns: getComputedStyle(grid).gridTemplateColumns.split(' ').length,
    rowPx: (card?.getBoundingClientRect().height ?? px) + gapPx,
    topPx: grid.getBoundingClientRect().top + window.scrollY,
  };
}

const isSame = (a: Grid, b: Grid) => a.columns === b.columns && a.rowPx === b.rowPx && a.topPx === b.topPx;

/** The cards of a grid, or lines of a list, to draw while the window scrolls: all of a small fleet, those in sight of a large one. */
export function useCardWindow<T extends HTMLElement>(count: number, size: CardSize): [RefObject<T | null>, RowWindow] {
  'use no memo'; // The virtualizer is one object that changes.
  const ref = useRef<T>(null);
  const { px, gapPx, drawnWhole = CARDS_DRAWN_WHOLE } = size;
  const [all] = useStored(printing);
  const whole = all || count <= drawnWhole;
  const [grid, setGrid] = useState<Grid>({ columns: 1, rowPx: px + gapPx, topPx: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null || whole) return undefined;
    const look = () => {
      const next = measured(element, { px, gapPx });
      setGrid((before) => (isSame(before, next) ? before : next));
    };
    look();
    // Content above the grid grows when it loads, and the grid grows with the sidebar.
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    observer.observe(element);
    return () => observer.disconnect();
  }, [whole, px, gapPx]);
  const rows = useWindowVirtualizer({
    count: Math.ceil(count / grid.columns),
    enabled: !whole,
    estimateSize: () => grid.rowPx,
    overscan: Math.max(LEAST_MARGIN_ROWS, Math.round(MARGIN_PX / grid.rowPx)),
    scrollMargin: grid.topPx,
  });
  useLayoutEffect(() => rows.measure(), [rows, grid.rowPx]);
  if (whole) return [ref, { first: 0, end: count, above: 0, below: 0 }];
  const { first, end, above, below } = rowWindow(rows.getVirtualItems(), rows.getTotalSize(), grid.topPx);
  return [ref, { first: first * grid.columns, end: Math.min(count, end * grid.columns), above, below }];
}
