import { expect, it, onTestFinished } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { watchPrinting } from '../../state/printing.ts';
import { useCardWindow } from './use-card-window.ts';

const ROWS = 400;

function List() {
  const [list, { first, end }] = useCardWindow<HTMLUListElement>(ROWS, { px: 40, gapPx: 0 });
  return (
    <ul ref={list}>
      {Array.from({ length: end - first }, (_, row) => (
        <li key={first + row} style={{ height: 40 }}>
          row {first + row}
        </li>
      ))}
    </ul>
  );
}

it('prints all rows of a long list in the light scheme, and goes back to the dark one', async () => {
  onTestFinished(watchPrinting(window, document.documentElement));
  const screen = await draw(<List />);
  await expect.element(screen.getByText('row 0', { exact: true })).toBeVisible();
  expect(screen.getByRole('listitem').elements().length).toBeLessThan(ROWS);
  expect(document.documentElement.hasAttribute('data-dark')).toBe(true);
  window.dispatchEvent(new Event('beforeprint'));
  await expect.element(screen.getByText(`row ${ROWS - 1}`, { exact: true })).toBeInTheDocument();
  expect(document.documentElement.hasAttribute('data-light')).toBe(true);
  window.dispatchEvent(new Event('afterprint'));
  await expect.element(screen.getByText(`row ${ROWS - 1}`, { exact: true })).not.toBeInTheDocument();
  expect(document.documentElement.hasAttribute('data-dark')).toBe(true);
});
