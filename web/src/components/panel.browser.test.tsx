import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { draw } from '../testing/draw.tsx';
import { Panel } from './panel.tsx';

const panel = () =>
  draw(
    <Panel title="Interfaces" note="2 interfaces" fold="eth0 21.7 MB/s in" actions={<a href="/network">Open</a>}>
      <p>eth0</p>
    </Panel>,
  );

afterEach(() => page.viewport(1280, 800));

it('is open where there is room, and has no button to close it', async () => {
  const screen = await panel();
  await expect.element(screen.getByText('eth0', { exact: true })).toBeVisible();
  await expect.element(screen.getByText('2 interfaces')).toBeVisible();
  expect(screen.getByRole('button').elements()).toEqual([]);
});

it('is one line on a phone, with a target of 40 px, and opens', async () => {
  await page.viewport(390, 800);
  const screen = await panel();
  const head = screen.getByRole('button', { name: 'Interfaces eth0 21.7 MB/s in' });
  await expect.element(head).toHaveAttribute('aria-expanded', 'false');
  expect(screen.getByText('eth0', { exact: true }).elements()).toEqual([]);
  expect(head.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(40);
  await head.click();
  await expect.element(screen.getByText('eth0', { exact: true })).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Open' })).toBeVisible();
  await expect.element(screen.getByRole('heading', { name: 'Interfaces 2 interfaces' })).toBeVisible();
});
