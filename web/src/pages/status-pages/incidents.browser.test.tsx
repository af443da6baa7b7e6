import type { StatusIncidentOnWire } from '@plimsoll/contract/wire/checks/status-incidents';
import { expect, test } from 'vitest';
import { page as browser } from 'vitest/browser';
import { paths } from '../../paths.ts';
import { drawApp } from '../../testing/draw-app.tsx';
import type { Answers } from '../../testing/draw-page.tsx';

const PAGE = '00000000-0000-4000-8000-0000000000aa';
const SERVER = '00000000-0000-4000-8000-0000000000bb';
const INCIDENT = '00000000-0000-4000-8000-0000000000cc';
const CHECK = '00000000-0000-4000-8000-0000000000ee';
const UPDATE = '00000000-0000-4000-8000-0000000000dd';
const PATH = `/api/status-pages/${PAGE}/incidents`;
const AT = '2026-01-01T20:00:00.000Z';
const PAGES = {
  'GET /api/status-pages': {
    data: {
      status_pages: [
        {
          page_id: PAGE,
          path: '/status/AAAAAAAAAAAAAAAAAAAAAA',
          title: 'Shop',
          message: '',
          servers: [
            { server_id: SERVER, hostname: 'web-1', label: 'Checkout', group: 'Shop' },
            { server_id: UPDATE, hostname: 'web-2', label: 'Checkout', group: 'Shop' },
          ],
          checks: [{ check_id: CHECK, name: 'shop.example HTTPS', label: 'Website', group: 'Shop' }],
          shows_names: false,
          shows_figures: false,
          shows_maintenance: true,
          is_indexable: false,
          is_published: true,
          expires_at: null,
          status: 'public',
          created_by: null,
          created_at: AT,
          updated_at: AT,
        },
      ],
      total: 1,
    },
  },
};
const incident = (more: Partial<StatusIncidentOnWire> = {}): StatusIncidentOnWire => ({
  incident_id: INCIDENT,
  title: 'Orders fail',
  impact: 'partly_offline',
  state: 'investigating',
  server_ids: [SERVER],
  check_ids: [],
  started_at: AT,
  resolved_at: null,
  next_update_at: null,
  updates: [{ update_id: UPDATE, at: AT, state: 'investigating', text: 'We look <b>into</b> it.', created_by: null }],
  created_by: null,
  ...more,
});
const list = (...incidents: StatusIncidentOnWire[]) => ({ data: { incidents, total: incidents.length } });
const draw = (answers: Answers, role: 'viewer' | 'editor' | 'admin' = 'editor') =>
  drawApp(paths.statusIncidents(PAGE), { role, answers: { ...PAGES, ...answers } });

test('an editor announces an incident with its first words; servers of one public name are one part', async () => {
  let incidents: StatusIncidentOnWire[] = [];
  const { calls } = await draw({
    [`GET ${PATH}`]: () => list(...incidents),
    [`POST ${PATH}`]: () => {
      incidents = [incident()];
      return { data: { incident: incident() } };
    },
  });
  await browser.getByRole('button', { name: 'Announce incident' }).click();
  const dialog = browser.getByRole('dialog');
  await expect.element(dialog.getByRole('button', { name: 'Announce' })).toBeDisabled();
  await dialog.getByLabelText('Title').fill('Orders fail');
  await dialog.getByRole('checkbox', { name: 'Checkout (Shop)' }).click();
  await dialog.getByRole('checkbox', { name: 'Website (Shop)' }).click();
  await dialog.getByLabelText('What readers should know').fill('We look into it.');
  await dialog.getByLabelText('Next update').selectOptions('');
  await dialog.getByRole('button', { name: 'Announce' }).click();
  await expect.element(browser.getByText('1 open. Readers of the page see every word of it.')).toBeVisible();
  const sent = calls.find(({ method, path }) => method === 'POST' && path === PATH);
  expect(sent?.body).toEqual({
    title: 'Orders fail',
    impact: 'partly_offline',
    server_ids: [SERVER, UPDATE],
    check_ids: [CHECK],
    next_update_at: null,
    state: 'investigating',
    text: 'We look into it.',
  });
});

test('an update is added and corrected, and the text of people stays text', async () => {
  const { calls } = await draw({
    [`GET ${PATH}`]: list(incident()),
    [`POST ${PATH}/${INCIDENT}/updates`]: { data: { incident: incident() } },
    [`PUT ${PATH}/${INCIDENT}/updates/${UPDATE}`]: { status: 400, field: 'text', detail: 'text: is too long' },
  });
  await expect.element(browser.getByText('We look <b>into</b> it.')).toBeVisible();
  await browser.getByRole('button', { name: 'Add update to Orders fail' }).click();
  const dialog = browser.getByRole('dialog');
  await dialog.getByLabelText('State').selectOptions('resolved');
  expect(dialog.getByLabelText('Next update').elements()).toEqual([]);
  await dialog.getByLabelText('What readers should know').fill('Orders work.');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(calls.find(({ path }) => path.endsWith('/updates'))?.body).toEqual({
    state: 'resolved',
    text: 'Orders work.',
    next_update_at: null,
  });
  await browser.getByRole('button', { name: /^Correct the update/ }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect.element(dialog.getByText('text: is too long')).toBeVisible();
});

test('a viewer reads the incidents and has no button that the API refuses', async () => {
  const { settled } = await draw({ [`GET ${PATH}`]: list(incident()) }, 'viewer');
  await settled();
  await expect.element(browser.getByText(/affects Checkout \(Shop\)/)).toBeVisible();
  for (const name of [/Announce/, /Add an update/, /^Edit/, /^Delete/, /Correct/, /Retry/])
    expect([String(name), browser.getByRole('main').getByRole('button', { name }).elements()]).toEqual([
      String(name),
      [],
    ]);
});

test('a list that does not load says so', async () => {
  await draw({ [`GET ${PATH}`]: { status: 404, detail: 'Status page not found' } });
  await expect.element(browser.getByText('Status page not found', { exact: false })).toBeVisible();
});
