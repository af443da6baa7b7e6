import type { PublicStatusPage } from '@plimsoll/contract/wire/status-pages';
import { expect, test } from 'vitest';
import { Route, Routes } from 'react-router-dom';
import { drawPage, type Answers } from '../../testing/draw-page.tsx';
import { Component } from './status-page.tsx';

const SLUG = 'AAAAAAAAAAAAAAAAAAAAAA';
const CALL = `GET /api/public/status-pages/${SLUG}`;
const now = () => new Date().toISOString();
const page = (more: Partial<PublicStatusPage> = {}): PublicStatusPage => ({
  title: 'Shop',
  message: 'Planned work on Sunday',
  state: 'outage',
  servers: [
    {
      name: 'Checkout',
      state: 'over_line',
      reported_at: now(),
      figures: { cpu: { value: 91, line: 80 }, memory: { value: 40, line: 80 }, disk: { value: null, line: 80 } },
    },
    { name: 'Server 2', state: 'offline', reported_at: new Date(Date.now() - 600_000).toISOString(), figures: null },
  ],
  as_of: now(),
  ...more,
});
const draw = async (answers: Answers) => {
  const routes = (
    <Routes>
      <Route path="/status/:slug" element={<Component />} />
    </Routes>
  );
  return (await drawPage(routes, answers, { at: `/status/${SLUG}` })).screen;
};

test('shows states, the age of what is silent, and figures against their lines', async () => {
  const screen = await draw({ [CALL]: { data: { status_page: page() } } });
  await expect.element(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Shop');
  await expect.element(screen.getByText('1 of 2 servers is offline')).toBeVisible();
  await expect.element(screen.getByText('Planned work on Sunday')).toBeVisible();
  const [first, second] = screen.getByRole('listitem').elements();
  expect(first?.textContent).toContain('High load');
  expect(first?.textContent).toContain('91 %');
  expect(first?.textContent).toContain('N/A');
  expect(second?.textContent).toContain('Offlinelast report 10 min ago');
  expect(screen.getByRole('meter', { name: /^CPU of Checkout 91 %, 11 over the line/ }).elements()).toHaveLength(1);
  // Nothing of the dashboard is around it.
  expect(screen.getByRole('navigation').elements()).toEqual([]);
  expect(screen.getByRole('link').elements()).toEqual([]);
  expect(document.title).toBe('Shop · Status');
});

test('a link that is not public says so, in no other words than an unknown one', async () => {
  const screen = await draw({ [CALL]: { status: 404, detail: 'Status page not found' } });
  await expect.element(screen.getByText('No page is published at this address')).toBeVisible();
  expect(document.title).toBe('Status');
});

test('a failure at load offers another try', async () => {
  let failures = 1;
  const screen = await draw({
    [CALL]: () => (failures-- > 0 ? { status: 503, detail: 'Storage is away' } : { data: { status_page: page() } }),
  });
  await expect.element(screen.getByText('Storage is away')).toBeVisible();
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.element(screen.getByText('1 of 2 servers is offline')).toBeVisible();
});
