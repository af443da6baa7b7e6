import type { VirtualItem } from '@tanstack/react-virtual';

export interface RowWindow {
  /** First drawn row, and one past the last. */
  first: number;
  end: number;
  /** Room in px above and below the drawn rows. */
  above: number;
  below: number;
}

/** Returns the part of a list that a virtualizer draws; `offset` is the px of the page before the list. */
export function rowWindow(rows: readonly VirtualItem[], totalPx: number, offset = 0): RowWindow {
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) return { first: 0, end: 0, above: 0, below: totalPx };
  return {
    first: first.index,
    end: last.index + 1,
    above: first.start - offset,
    below: totalPx - (last.end - offset),
  };
}
