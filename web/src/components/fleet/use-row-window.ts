import { useRef, type RefObject } from 'react';
import { useVirtualizer } from '@tanstack/react-virtual';
import { rowWindow, type RowWindow } from './row-window.ts';
import { printing } from '../../state/printing.ts';
import { useStored } from '../../state/use-stored.ts';

/** Above this many rows a table draws only those in sight. */
export const DRAWN_WHOLE = 100;
/** Rows drawn beyond what is in sight, on each side. */
const MARGIN_ROWS = 8;

/** The rows of a scroller to draw: all of a short table, those in sight of a long one. */
export function useRowWindow<T extends HTMLElement>(count: number, rowPx: number): [RefObject<T | null>, RowWindow] {
  'use no memo'; // The virtualizer is one object that changes.
  const ref = useRef<T>(null);
  const [all] = useStored(printing);
  const whole = all || count <= DRAWN_WHOLE;
  const rows = useVirtualizer<T, Element>({
    count,
    enabled: !whole,
    estimateSize: () => rowPx,
    getScrollElement: () => ref.current,
    overscan: MARGIN_ROWS,
  });
  if (whole) return [ref, { first: 0, end: count, above: 0, below: 0 }];
  return [ref, rowWindow(rows.getVirtualItems(), rows.getTotalSize())];
}
