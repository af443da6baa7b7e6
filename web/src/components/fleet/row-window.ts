/** Px drawn beyond what is in sight, on each side, and rows at least. */
const MARGIN_PX = 256;
const LEAST_MARGIN_ROWS = 2;

export interface RowWindow {
  /** First drawn row, and one past the last. */
  first: number;
  end: number;
  /** Room in px above and below the drawn rows. */
  above: number;
  below: number;
}

/** Part of a list that the window shows: px from the list's top, negative above it. */
export interface Sight {
  fromPx: number;
  toPx: number;
}

/**
 * Returns the rows of a list to draw: those in sight and a margin. A list out of sight draws the row next to it, so that
 * its height can be measured.
 */
export function rowWindow(rows: number, rowPx: number, { fromPx, toPx }: Sight): RowWindow {
  const margin = Math.max(LEAST_MARGIN_ROWS * rowPx, MARGIN_PX);
  const first = Math.min(Math.max(0, Math.floor((fromPx - margin) / rowPx)), Math.max(0, rows - 1));
  const end = Math.min(Math.max(first + 1, Math.ceil((toPx + margin) / rowPx)), rows);
  return { first, end, above: first * rowPx, below: (rows - end) * rowPx };
}
