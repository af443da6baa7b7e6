import type { CheckListItem, ChecksAnswer } from '@plimsoll/contract/wire/checks/checks';
import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { sampleCheck } from '../../testing/sample-check.ts';
import { Component } from './checks-page.tsx';

const ID = '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c11';
const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
const check = (name: string, change: Partial<CheckListItem> = {}): CheckListItem =>
  sampleCheck(name, {
    check_id: ID,
    target: 'GET https://shop.example.net/health',
    since: ago(7200),
    checked_at: ago(8),
    bars: Array.from({ length: 90 }, (_, index) => (index < 80 ? 'up' : index < 88 ? 'down' : null)),
    ...change,
  });
const answer = (checks: CheckListItem[]): ChecksAnswer => {
  const count = (status: string) => checks.filter((one) => one.status === status).length;
  const summary = { up: count('up'), down: count('down'), unknown: count('unknown'), paused: count('paused') };
  return { checks, total: checks.length, summary };
};
const draw = (data: ChecksAnswer | 'pending', more = {}, role: 'admin' | 'viewer' = 'admin') =>
  drawPage(
    <Component />,
    { 'GET /api/checks': data === 'pending' ? 'pending' : { data }, ...more },
    { at: '/servers/checks', role },
  );

it('lists the worst first, as the API orders it, with what fails', async () => {
  const { screen } = await draw(
    answer([
      check('checkout', { status: 'down', reason: 'status_unexpected', http_status: 502, total_ms: null }),
      check('shop', { certificate_days: 12 }),
      check('backup', { kind: 'heartbeat', status: 'unknown', certificate_days: null, total_ms: null }),
    ]),
  );
  await expect.element(screen.getByText('3 checks: 1 down, 1 unknown.')).toBeVisible();
  const rows = screen.getByRole('row');
  await expect.element(rows.nth(1)).toMatchTextContent(/HTTP 502/);
  await expect.element(rows.nth(2)).toMatchTextContent(/12 d/);
  await expect.element(rows.nth(3)).toMatchTextContent(/called by a job/);
  await expect
    .element(screen.getByRole('img', { name: '8 of 88 known minutes failed, of the last 90' }).first())
    .toBeVisible();
});

it('says what to do while there is none', async () => {
  const { screen } = await draw(answer([]));
  await expect.element(screen.getByText('No checks yet')).toBeVisible();
  await expect.element(screen.getByRole('heading', { name: 'Add the first check' })).toBeVisible();
});

it('shows an error with a way to try again', async () => {
  const { screen } = await drawPage(
    <Component />,
    { 'GET /api/checks': { status: 400, detail: 'limit: must be 1–1000.' } },
    { at: '/servers/checks' },
  );
  await expect.element(screen.getByText('limit: must be 1–1000.')).toBeVisible();
});

it('loads without a flicker of emptiness', async () => {
  const { screen } = await draw('pending');
  await expect.element(screen.getByText('Checks and heartbeats')).toBeVisible();
  expect(screen.getByText('No checks yet').query()).toBeNull();
});

const RESULT = {
  ok: true,
  reason: null,
  failed_phase: null,
  dns_ms: 7,
  connect_ms: 22,
  tls_ms: 39,
  wait_ms: 117,
  transfer_ms: 27,
  total_ms: 212,
  status: 200,
  size_bytes: 5120,
  text_found: null,
  answer: null,
  certificate: null,
};

it('takes an address that is pasted beside its fields, and nothing else', async () => {
  const { screen } = await draw(answer([]));
  const field = screen.getByLabelText('Address');
  await expect.element(field).toBeVisible();
  const paste = (text: string) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  };
  paste('no address at all');
  await expect.element(field).toHaveValue('');
  paste(' shop.example.net/health ');
  await expect.element(field).toHaveValue('shop.example.net/health');
  await expect.element(field).toHaveFocus();
});

it('adds a check: an address, Enter, the first result, one click', async () => {
  const { screen, callsTo } = await draw(answer([]), {
    'POST /api/checks/preview': { data: { result: RESULT } },
    'POST /api/checks': { data: { check: { check_id: ID }, heartbeat_key: null } },
  });
  await screen.getByLabelText('Address').fill('shop.example.net/health');
  await expect.element(screen.getByText('HTTP: shop.example.net HTTPS')).toBeVisible();
  await screen.getByRole('button', { name: 'Run once' }).click();
  await expect.element(screen.getByText('Wait 117 ms')).toBeVisible();
  await screen.getByRole('button', { name: 'Save check' }).click();
  await expect.poll(() => callsTo('POST', '/api/checks')).toHaveLength(1);
  expect(callsTo('POST', '/api/checks')[0]?.body).toEqual({
    name: 'shop.example.net HTTPS',
    probe: { kind: 'http', url: 'https://shop.example.net/health' },
  });
});

it('refuses what is no address before anything is sent', async () => {
  const { screen, callsTo } = await draw(answer([]));
  await screen.getByLabelText('Address').fill('not an address');
  await screen.getByRole('button', { name: 'Run once' }).click();
  await expect.element(screen.getByText(/This is no address/)).toBeVisible();
  expect(callsTo('POST', '/api/checks/preview')).toEqual([]);
});

it('adds a heartbeat, and shows its key and the lines to copy this once', async () => {
  const { screen, callsTo } = await draw(answer([]), {
    'POST /api/checks': { data: { check: { check_id: ID, name: 'backup' }, heartbeat_key: 'k'.repeat(43) } },
  });
  await screen.getByRole('button', { name: 'Add heartbeat' }).click();
  await screen.getByRole('button', { name: 'Create' }).click();
  await expect.element(screen.getByText('Give it the name of the job.')).toBeVisible();
  expect(callsTo('POST', '/api/checks')).toEqual([]);
  await screen.getByLabelText('Name').fill('backup');
  await screen.getByLabelText('The job runs').selectOptions('cron');
  await screen.getByLabelText('Schedule', { exact: true }).fill('30 2 * * *');
  await screen.getByLabelText('Time zone of the schedule').selectOptions('Europe/Berlin');
  await screen.getByLabelText('Grace').fill('20 min');
  await screen.getByRole('button', { name: 'Create' }).click();
  const dialog = screen.getByRole('dialog', { name: 'Let the job call backup' });
  await expect.element(dialog).toMatchTextContent(/backup\.sh && curl -fsS -X POST http.*\/api\/heartbeats\/k{43}/);
  await expect.element(dialog.getByRole('button', { name: 'Copy both commands' })).toBeVisible();
  expect(callsTo('POST', '/api/checks')[0]?.body).toEqual({
    name: 'backup',
    is_enabled: true,
    heartbeat: { schedule: { kind: 'cron', expression: '30 2 * * *', zone: 'Europe/Berlin' }, grace_seconds: 1200 },
    server_id: null,
  });
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => window.location.pathname).toBe(`/servers/checks/${ID}`);
});

it('marks the field of a heartbeat that the API refuses', async () => {
  const detail = 'heartbeat.schedule.expression: must have five fields';
  const { screen } = await draw(answer([]), {
    'POST /api/checks': { status: 400, detail, field: 'heartbeat.schedule.expression' },
  });
  await screen.getByRole('button', { name: 'Add heartbeat' }).click();
  await screen.getByLabelText('Name').fill('backup');
  await screen.getByLabelText('The job runs').selectOptions('cron');
  await screen.getByLabelText('Schedule', { exact: true }).fill('daily');
  await screen.getByRole('button', { name: 'Create' }).click();
  await expect.element(screen.getByText('Must have five fields')).toBeVisible();
});

it('offers a viewer nothing that the API would refuse', async () => {
  const { screen } = await draw(answer([]), {}, 'viewer');
  await expect.element(screen.getByText('Editors of this organisation add them.')).toBeVisible();
  expect(screen.getByLabelText('Address').query()).toBeNull();
  expect(screen.getByRole('button', { name: 'Add heartbeat' }).query()).toBeNull();
});
