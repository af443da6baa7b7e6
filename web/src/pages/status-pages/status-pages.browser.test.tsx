import type { StatusPageOnWire } from '@plimsoll/contract/wire/checks/status-pages';
import { expect, test } from 'vitest';
import { drawPage, type Answers } from '../../testing/draw-page.tsx';
import { sampleCheck } from '../../testing/sample-check.ts';
import { sampleServer } from '../../testing/sample-server.ts';
import { Component } from './status-pages-page.tsx';

const PATH = '/api/status-pages';
const LIST = `GET ${PATH}`;
const ID = '00000000-0000-4000-8000-0000000000aa';
const SERVER = '00000000-0000-4000-8000-0000000000bb';
const page = (more: Partial<StatusPageOnWire> = {}): StatusPageOnWire => ({
  page_id: ID,
  path: '/status/AAAAAAAAAAAAAAAAAAAAAA',
  title: 'Shop',
  message: '',
  servers: [{ server_id: SERVER, hostname: 'web-1', label: 'Checkout', group: 'Shop' }],
  checks: [],
  shows_names: false,
  shows_figures: true,
  shows_maintenance: false,
  is_indexable: false,
  is_published: true,
  expires_at: '2126-01-01T00:00:00.000Z',
  status: 'public',
  created_by: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
  ...more,
});
const list = (...pages: StatusPageOnWire[]) => ({ data: { status_pages: pages, total: pages.length } });
const SERVERS: Answers = {
  'GET /api/servers/list': {
    data: { servers: [sampleServer({ id: SERVER, hostname: 'web-1' })], total: 1, summary: null, fleet: [] },
  },
};
const CHECK = '00000000-0000-4000-8000-0000000000cc';
const CHECKS: Answers = {
  'GET /api/checks': {
    data: {
      checks: [sampleCheck('shop.example HTTPS', { check_id: CHECK }), sampleCheck('backup', { check_id: ID })],
      total: 2,
      summary: { up: 2, down: 0, unknown: 0, paused: 0 },
    },
  },
};
const dialogOf = (screen: Awaited<ReturnType<typeof drawPage>>['screen']) => screen.getByRole('dialog');

test('nothing is public at first; a page is created with what was chosen and no more', async () => {
  let pages: StatusPageOnWire[] = [];
  const { screen, callsTo } = await drawPage(<Component />, {
    ...SERVERS,
    ...CHECKS,
    [LIST]: () => list(...pages),
    [`POST ${PATH}`]: () => {
      pages = [page()];
      return { data: { status_page: page() } };
    },
  });
  await expect.element(screen.getByText('Nothing is public.')).toBeVisible();
  await screen.getByRole('button', { name: 'New status page' }).click();
  const dialog = dialogOf(screen);
  await expect.element(dialog.getByRole('button', { name: 'Create' })).toBeDisabled();
  await dialog.getByLabelText('Title').fill('Shop');
  await dialog.getByRole('checkbox', { name: 'web-1' }).click();
  await dialog.getByLabelText('Public name of web-1').fill(' Checkout ');
  await dialog.getByLabelText('Group of web-1').fill('Shop');
  await dialog.getByRole('checkbox', { name: /^Show CPU/ }).click();
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect.element(screen.getByText('1 public. Anyone with a link can read its page.')).toBeVisible();
  expect(callsTo('POST', PATH).map(({ body }) => body)).toEqual([
    {
      title: 'Shop',
      message: '',
      servers: [{ server_id: SERVER, label: 'Checkout', group: 'Shop' }],
      checks: [],
      shows_names: false,
      shows_figures: true,
      shows_maintenance: true,
      is_indexable: false,
      is_published: true,
      expires_at: null,
    },
  ]);
});

test("an edit keeps the end and the label; the API's refusal stands in the form", async () => {
  const { screen, callsTo } = await drawPage(<Component />, {
    ...SERVERS,
    ...CHECKS,
    [LIST]: list(page()),
    [`PUT ${PATH}/${ID}`]: { status: 400, field: 'title', detail: 'title: is taken', remedy: 'Choose another.' },
  });
  await expect.element(screen.getByText(/1 server with figures, ends 1 Jan/)).toBeVisible();
  await screen.getByRole('button', { name: 'Edit Shop' }).click();
  const dialog = dialogOf(screen);
  await expect.element(dialog.getByLabelText('Public name of web-1')).toHaveValue('Checkout');
  await dialog.getByRole('checkbox', { name: /^Published/ }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByLabelText('Title')).toHaveAccessibleDescription('title: is taken. Choose another.');
  expect(callsTo('PUT', `${PATH}/${ID}`)[0]?.body).toMatchObject({
    servers: [{ server_id: SERVER, label: 'Checkout', group: 'Shop' }],
    shows_maintenance: false,
    expires_at: '2126-01-01T00:00:00.000Z',
    is_published: false,
  });
});

test('a check is on a page after five clicks, and strangers are not to read its own name', async () => {
  const { screen, callsTo } = await drawPage(<Component />, {
    ...SERVERS,
    ...CHECKS,
    [LIST]: list(page()),
    [`PUT ${PATH}/${ID}`]: { data: { status_page: page() } },
  });
  // Profile and Status pages were the first two.
  await screen.getByRole('button', { name: 'Edit Shop' }).click();
  const dialog = dialogOf(screen);
  await dialog.getByRole('checkbox', { name: 'shop.example HTTPS' }).click();
  await expect.element(dialog.getByText('Checks (1 chosen)')).toBeVisible();
  const rows = dialog.getByRole('list', { name: 'Checks of the page' }).element();
  expect(rows.clientHeight).toBe(rows.scrollHeight);
  // Not its own name, which has a host in it.
  const name = dialog.getByLabelText('Public name of shop.example HTTPS');
  await expect.element(name).toHaveAttribute('placeholder', 'Check 1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => callsTo('PUT', `${PATH}/${ID}`).length).toBe(1);
  expect(callsTo('PUT', `${PATH}/${ID}`)[0]?.body).toMatchObject({
    servers: [{ server_id: SERVER, label: 'Checkout', group: 'Shop' }],
    checks: [{ check_id: CHECK, label: null, group: null }],
  });
});

test('the form says how many checks too many are ticked', async () => {
  const checks = Array.from({ length: 103 }, (_, index) => ({
    check_id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    name: `check ${String(index)}`,
    label: null,
    group: null,
  }));
  const { screen } = await drawPage(<Component />, {
    ...SERVERS,
    ...CHECKS,
    [LIST]: list(page({ servers: [], checks })),
  });
  await screen.getByRole('button', { name: 'Edit Shop' }).click();
  const dialog = dialogOf(screen);
  const filter = dialog.getByLabelText('Checks (103 chosen)');
  await expect.element(filter).toHaveAccessibleDescription('A page has at most 100. Untick 3.');
});

test('a page may have checks alone; an edit keeps their names and finds others by their target', async () => {
  const stored = { check_id: CHECK, name: 'shop.example HTTPS', label: 'Website', group: 'Shop' };
  const { screen, callsTo } = await drawPage(<Component />, {
    ...SERVERS,
    ...CHECKS,
    [LIST]: list(page({ servers: [], checks: [stored] })),
    [`PUT ${PATH}/${ID}`]: { status: 400, field: 'checks', detail: 'checks: is wrong', remedy: 'Choose another.' },
  });
  await expect.element(screen.getByText(/^1 check, ends 1 Jan/)).toBeVisible();
  await screen.getByRole('button', { name: 'Edit Shop' }).click();
  const dialog = dialogOf(screen);
  await expect.element(dialog.getByLabelText('Public name of shop.example HTTPS')).toHaveValue('Website');
  const filter = dialog.getByLabelText('Checks (1 chosen)');
  await filter.fill('GET nothing');
  await expect.element(dialog.getByText('No check matches.')).toBeVisible();
  await filter.fill('backup');
  await dialog.getByRole('checkbox', { name: 'backup' }).click();
  await dialog.getByLabelText('Public name of backup').fill('Backup');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect
    .element(dialog.getByLabelText('Checks (2 chosen)'))
    .toHaveAccessibleDescription('checks: is wrong. Choose another.');
  expect(callsTo('PUT', `${PATH}/${ID}`)[0]?.body).toMatchObject({
    servers: [],
    checks: [
      { check_id: CHECK, label: 'Website', group: 'Shop' },
      { check_id: ID, label: 'Backup', group: null },
    ],
  });
});

test('a page is deleted after a question that says what happens to its link', async () => {
  let pages = [page()];
  const { screen } = await drawPage(<Component />, {
    [LIST]: () => list(...pages),
    [`DELETE ${PATH}/${ID}`]: () => {
      pages = [];
      return { data: {} };
    },
  });
  await screen.getByRole('button', { name: 'Delete Shop' }).click();
  await expect.element(dialogOf(screen).getByText(/Its link stops working at once/)).toBeVisible();
  await dialogOf(screen).getByRole('button', { name: 'Delete' }).click();
  await expect.element(screen.getByText('No status pages')).toBeVisible();
});

test('a page that is not public has no link; who is no admin changes nothing', async () => {
  const { screen } = await drawPage(
    <Component />,
    { [LIST]: list(page({ page_id: SERVER, status: 'expired', title: 'Old' }), page()) },
    { role: 'editor' },
  );
  await expect.element(screen.getByText('Expired')).toBeVisible();
  expect(
    screen
      .getByRole('link', { name: /^Open/ })
      .elements()
      .map((link) => link.getAttribute('aria-label')),
  ).toEqual(['Open Shop']);
  expect(
    screen
      .getByRole('button')
      .elements()
      .map((each) => each.textContent),
  ).toEqual(['Copy link']);
});

test('a list that does not load says so', async () => {
  const { screen } = await drawPage(<Component />, { [LIST]: { status: 400, detail: 'Broken' } });
  await expect.element(screen.getByText('The status pages could not be loaded.')).toBeVisible();
});
