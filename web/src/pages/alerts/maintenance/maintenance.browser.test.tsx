import { describe, expect, it } from 'vitest';
import { drawPage, type Answers } from '../../../testing/draw-page.tsx';
import { sampleServer } from '../../../testing/sample-server.ts';
import { MaintenancePanel } from './maintenance-panel.tsx';

const PATH = '/api/maintenance';
const SERVER = '00000000-0000-4000-8000-00000000000a';
const ID = '00000000-0000-4000-8000-0000000000aa';
const NIGHT = {
  maintenance_id: ID,
  name: 'Patch night',
  schedule: { kind: 'weekly', weekdays: [7], time: '02:00' },
  zone: 'UTC',
  duration_seconds: 7200,
  last_day: null,
  server_ids: [SERVER],
  check_ids: [],
  cluster_ids: [],
  text: 'every Sunday at 02:00 UTC, for 2 h',
  status: 'planned',
  periods: [{ starts_at: '2099-03-01T02:00:00.000Z', ends_at: '2099-03-01T04:00:00.000Z' }],
  created_by: null,
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
};
const given = (all: readonly object[], more: Answers = {}): Answers => ({
  [`GET ${PATH}`]: { data: { maintenance: all, total: all.length } },
  'GET /api/servers/list': { data: { servers: [sampleServer({ id: SERVER, hostname: 'db-01' })] } },
  'GET /api/kubernetes/clusters': { data: { clusters: [], total: 0 } },
  'GET /api/checks': {
    data: { checks: [], total: 0, summary: { up: 0, down: 0, unknown: 0, paused: 0 } },
  },
  ...more,
});
const draw = (all: readonly object[], more: Answers = {}, mayEdit = true) =>
  drawPage(<MaintenancePanel mayEdit={mayEdit} />, given(all, more));

describe('recurring maintenance', () => {
  it('has its heading while it loads, says what failed, and what it is for when there is none', async () => {
    const loading = await draw([], { [`GET ${PATH}`]: 'pending' });
    await expect.element(loading.screen.getByRole('heading', { name: 'Recurring maintenance' })).toBeVisible();
    expect(loading.screen.getByText('No recurring maintenance').elements()).toEqual([]);
    await loading.screen.unmount();
    const failed = { status: 400, detail: 'Request failed', remedy: 'Try again in a minute.' };
    const broken = await draw([], { [`GET ${PATH}`]: failed });
    await expect.element(broken.screen.getByRole('button', { name: 'Retry' })).toBeVisible();
    await broken.screen.unmount();
    const { screen } = await draw([]);
    await expect.element(screen.getByText('No recurring maintenance')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Add maintenance' })).toBeVisible();
  });

  it('shows its schedule, its next period and its subjects; a viewer has no button', async () => {
    const { screen } = await draw([NIGHT], {}, false);
    const row = screen.getByRole('listitem', { name: 'Patch night' });
    await expect.element(row.getByText(/every Sunday at 02:00 UTC, for 2 h; next 1 Mar.* 02:00 UTC/)).toBeVisible();
    await expect.element(row.getByText('1 server')).toBeVisible();
    await expect.element(row.getByText('Planned')).toBeVisible();
    expect(screen.getByRole('button').elements()).toEqual([]);
  });

  it('says until when a running one lasts', async () => {
    const { screen } = await draw([{ ...NIGHT, status: 'running' }]);
    await expect.element(screen.getByText(/until 1 Mar.* 04:00 UTC/)).toBeVisible();
  });

  it('adds one: weekly on chosen days, with the zone and the chosen servers', async () => {
    const { screen, callsTo } = await draw([], { [`POST ${PATH}`]: { data: { maintenance: NIGHT } } });
    await screen.getByRole('button', { name: 'Add maintenance' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect.element(dialog.getByText('Give it a name.')).toBeVisible();
    await expect.element(dialog.getByText('Choose a server, a check or a cluster.')).toBeVisible();
    await dialog.getByLabelText('Name').fill('Patch night');
    await dialog.getByRole('checkbox', { name: 'Saturday' }).click();
    await dialog.getByLabelText('Starts at').fill('23:30');
    await dialog.getByLabelText('Time zone').selectOptions('Europe/Berlin');
    await dialog.getByLabelText('Lasts').fill('90 min');
    await dialog.getByRole('checkbox', { name: 'db-01' }).click();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await expect.poll(() => callsTo('POST', PATH)).toHaveLength(1);
    expect(callsTo('POST', PATH)[0]?.body).toEqual({
      name: 'Patch night',
      schedule: { kind: 'weekly', weekdays: [6, 7], time: '23:30' },
      zone: 'Europe/Berlin',
      duration_seconds: 5400,
      last_day: null,
      server_ids: [SERVER],
      check_ids: [],
      cluster_ids: [],
    });
    await expect.poll(() => screen.getByRole('dialog').elements()).toEqual([]);
  });

  it('shows what the API refuses at its field, and keeps the form', async () => {
    const detail = 'schedule.expression: must have five fields: minute, hour, day of the month, month, day of the week';
    const { screen } = await draw([NIGHT], {
      [`PUT ${PATH}/${ID}`]: { status: 400, detail, field: 'schedule.expression' },
    });
    await screen.getByRole('button', { name: 'Edit the maintenance Patch night' }).click();
    const dialog = screen.getByRole('dialog');
    await dialog.getByLabelText('Repeats').selectOptions('cron');
    await dialog.getByLabelText('Schedule').fill('0 2 *');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.element(dialog.getByText(/[Mm]ust have five fields/)).toBeVisible();
    await expect.element(dialog.getByLabelText('Name')).toHaveValue('Patch night');
  });

  it('asks before it ends one', async () => {
    const { screen, callsTo } = await draw([NIGHT], { [`DELETE ${PATH}/${ID}`]: { data: {} } });
    await screen.getByRole('button', { name: 'End the maintenance Patch night' }).click();
    expect(callsTo('DELETE', `${PATH}/${ID}`)).toEqual([]);
    await screen.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await expect.poll(() => callsTo('DELETE', `${PATH}/${ID}`)).toHaveLength(1);
  });
});
