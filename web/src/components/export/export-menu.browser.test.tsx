import { afterEach, expect, it, vi } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { ExportButton } from './export-button.tsx';

afterEach(() => vi.restoreAllMocks());

const rows = { columns: ['pod'], rows: [['checkout-api']] };

it('fetches the rows of a long list before it saves them', async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  const screen = await draw(<ExportButton holds={['pods', 'shop']} table={() => Promise.resolve(rows)} />);
  await screen.getByRole('button', { name: 'Export pods shop' }).click();
  await screen.getByRole('menuitem', { name: 'CSV' }).click();
  await expect.poll(() => saved).toEqual(['pods-shop.csv']);
  await expect.element(screen.getByRole('menuitem', { name: 'CSV' })).not.toBeInTheDocument();
});

it('says why the rows could not be loaded, and saves nothing', async () => {
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const table = () => Promise.reject(new Error('The database is busy'));
  const screen = await draw(<ExportButton holds={['pods']} table={table} />);
  await screen.getByRole('button', { name: 'Export pods' }).click();
  await screen.getByRole('menuitem', { name: 'JSON' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Could not load the rows. The database is busy');
  expect(click).not.toHaveBeenCalled();
});
