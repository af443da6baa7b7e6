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

/** Which rows of one height are in sight of a scroller, and `margin` more on each side. */
export function rowWindow(
  count: number,
  rowPx: number,
  scrollTop: number,
  viewportPx: number,
  margin = MARGIN_ROWS,
): RowWindow {
  const first = Math.max(0, Math.min(count - 1, Math.floor(scrollTop / rowPx)) - margin);
  const end = Math.min(count, Math.ceil((scrollTop + viewportPx) / rowPx) + margin);
  return { first, end: Math.max(first, end), above: first * rowPx, below: (count - Math.max(first, end)) * rowPx };
}

/** What of a grid of cards is in sight. */
export interface GridSight {
  columns: number;
  /** From one row to the next. */
  rowPx: number;
  /** How far the window's upper edge is below the grid's. */
  top: number;
  viewportPx: number;
}

/** A card is many times a table's row: fewer of them are drawn beyond what is in sight. */
const CARD_MARGIN_ROWS = 2;

/** Which cards of a grid to draw: whole rows, numbered by card. Below the window the first, for a keyboard on its way down. */
export function cardWindow(count: number, { columns, rowPx, top, viewportPx }: GridSight): RowWindow {
  const rows = rowWindow(Math.ceil(count / columns), rowPx, Math.max(0, top), viewportPx, CARD_MARGIN_ROWS);
  return { ...rows, first: rows.first * columns, end: Math.min(count, rows.end * columns) };
}
