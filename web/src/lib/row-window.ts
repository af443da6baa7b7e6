export interface RowWindow {
  /** First drawn row, and one past the last. */
  first: number;
  end: number;
  /** Room in px above and below the drawn rows. */
  above: number;
  below: number;
}

/** Rows drawn beyond what is in sight, on each side. */
const MARGIN_ROWS = 8;

/** Which rows of one height are in sight of a scroller. */
export function rowWindow(count: number, rowPx: number, scrollTop: number, viewportPx: number): RowWindow {
  const first = Math.max(0, Math.min(count - 1, Math.floor(scrollTop / rowPx)) - MARGIN_ROWS);
  const end = Math.min(count, Math.ceil((scrollTop + viewportPx) / rowPx) + MARGIN_ROWS);
  return { first, end: Math.max(first, end), above: first * rowPx, below: (count - Math.max(first, end)) * rowPx };
}
