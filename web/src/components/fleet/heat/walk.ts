/** Returns the cell of another row that is nearest below or above. */
function inNextRow(cells: readonly HTMLElement[], here: HTMLElement, sign: 1 | -1): HTMLElement | null {
  const from = here.getBoundingClientRect();
  let best: { cell: HTMLElement; down: number; across: number } | null = null;
  for (const cell of cells) {
    const at = cell.getBoundingClientRect();
    const down = (at.top - from.top) * sign;
    const across = Math.abs(at.left - from.left);
    if (down < 1) continue;
    if (best === null || down < best.down - 1 || (Math.abs(down - best.down) <= 1 && across < best.across))
      best = { cell, down, across };
  }
  return best?.cell ?? null;
}

/** Returns the cell that a key leads to from the focused one; null if the key leads nowhere. */
export function nextCell(key: string, cells: readonly HTMLElement[]): HTMLElement | null {
  const place = cells.findIndex((cell) => cell === document.activeElement);
  const here = cells[place];
  if (here === undefined) return null;
  if (key === 'ArrowLeft') return cells[place - 1] ?? null;
  if (key === 'ArrowRight') return cells[place + 1] ?? null;
  if (key === 'Home') return cells[0] ?? null;
  if (key === 'End') return cells.at(-1) ?? null;
  if (key === 'ArrowDown') return inNextRow(cells, here, 1);
  if (key === 'ArrowUp') return inNextRow(cells, here, -1);
  return null;
}
