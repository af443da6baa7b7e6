import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { RetentionPanel } from './retention-panel.tsx';

const PATH = '/api/user/retention-settings';
const SETTINGS = { metrics_days: 365, alerts_days: 730, events_days: 365, processes_days: 14 };
const draw = (role: 'admin' | 'editor') =>
  drawPage(
    <RetentionPanel />,
    {
      [`GET ${PATH}`]: { data: { settings: SETTINGS, is_default: true } },
      [`PUT ${PATH}`]: { data: { settings: SETTINGS, is_default: false } },
    },
    { at: '/profile', role },
  );

it('says what a shorter time deletes before it is saved', async () => {
  const { screen, callsTo } = await draw('admin');
  const save = screen.getByRole('button', { name: 'Save' });
  await screen.getByLabelText('Metrics').fill('1');
  await expect.element(screen.getByText(/^Saving deletes metrics older than 1 day within one hour/)).toBeVisible();
  await screen.getByLabelText('Events').fill('30');
  await screen.getByLabelText('Processes').fill('7');
  const all = /^Saving deletes metrics older than 1 day, events older than 30 days and processes older than 7 days/;
  await expect.element(screen.getByText(all)).toBeVisible();
  expect(callsTo('PUT', PATH)).toEqual([]);
  await save.click();
  await expect
    .poll(() => callsTo('PUT', PATH).map(({ body }) => body))
    .toEqual([{ ...SETTINGS, metrics_days: 1, events_days: 30, processes_days: 7 }]);
});

it('says nothing of a deletion while no time is shorter, or one is wrong', async () => {
  const { screen } = await draw('admin');
  const warning = screen.getByText(/^Saving deletes/);
  await expect.element(screen.getByLabelText('Metrics')).toBeVisible();
  await expect.element(warning).not.toBeInTheDocument();
  await screen.getByLabelText('Metrics').fill('0');
  await expect.element(screen.getByText('1 to 365 days')).toBeVisible();
  await expect.element(warning).not.toBeInTheDocument();
});

it('shows the times to an editor, who cannot change them', async () => {
  const { screen } = await draw('editor');
  await expect.element(screen.getByText(/Only an admin of the organisation changes them/)).toBeVisible();
  await expect.element(screen.getByLabelText('Metrics')).toBeDisabled();
  await expect.element(screen.getByRole('button', { name: 'Save' })).not.toBeInTheDocument();
});
