import type { AlertRulesImportAnswer } from '@plimsoll/contract/wire/alerts/alert-rule-import';
import { expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { Answers } from '../../../testing/draw-page.tsx';
import { drawPage } from '../../../testing/draw-page.tsx';
import { Component as RulesPage } from './rules-page.tsx';

const IMPORT = '/api/alerts/rules/import';
const DRY: AlertRulesImportAnswer = {
  dry_run: true,
  created: 2,
  changed: 1,
  unchanged: 21,
  rules: [
    { name: 'rule 1 (PlimsollCpuUsage)', action: 'created', rule_id: null, text: 'CPU at or above 61 % (warning)' },
    { name: 'rule 2 (PlimsollCpuUsage)', action: 'changed', rule_id: null, text: 'CPU at or above 70 % (error)' },
    { name: 'rule 3 (PlimsollSwap)', action: 'unchanged', rule_id: null, text: 'Swap at or above 80 % (warning)' },
  ],
  errors: [],
  not_checked: 0,
};
const FILE = new File(['groups: []'], 'plimsoll-rules.yaml', { type: 'application/yaml' });

const open = async (answer: Answers[string], role: 'admin' | 'viewer' = 'admin') => {
  const drawn = await drawPage(
    <RulesPage />,
    {
      'GET /api/alerts/rules': { data: { rules: [], defaults: [], total: 0 } },
      'GET /api/servers/list': { data: { servers: [] } },
      'GET /api/kubernetes/clusters': { data: { clusters: [], total: 0 } },
      [`POST ${IMPORT}`]: answer,
    },
    { at: '/alerts/rules', role },
  );
  if (role === 'admin') await drawn.screen.getByRole('button', { name: 'Import' }).click();
  return drawn;
};

it('shows what a file would do, then imports it', async () => {
  const { screen, callsTo } = await open({ data: DRY });
  await expect.element(screen.getByRole('button', { name: 'Import 0 rules' })).toBeDisabled();
  await userEvent.upload(screen.getByLabelText('Rule file'), FILE);
  await expect.element(screen.getByText('2 new, 1 changed, 21 unchanged rules.')).toBeVisible();
  await expect.element(screen.getByText(/CPU at or above 61 %/)).toBeVisible();
  expect(screen.getByText(/Swap at or above/).elements()).toEqual([]);
  expect(callsTo('POST', IMPORT).map(({ body }) => body)).toEqual([{ yaml: 'groups: []', dry_run: true }]);
  await screen.getByRole('button', { name: 'Import 3 rules' }).click();
  await expect.element(screen.getByText('3 rules imported')).toBeVisible();
  expect(callsTo('POST', IMPORT).at(-1)?.body).toEqual({ yaml: 'groups: []', dry_run: false });
  expect(screen.getByRole('dialog').elements()).toEqual([]);
});

it('lists every error with its place, and imports nothing', async () => {
  const errors = [
    { name: 'rule 1 (PlimsollCpuUsage)', field: 'for', detail: 'must be a duration, such as 5m or 1h30m.' },
    { name: 'rule 9 (PlimsollSwap)', field: 'expr', detail: 'compares with no number.' },
  ];
  const { screen } = await open({ data: { ...DRY, errors, not_checked: 1200 } });
  await userEvent.upload(screen.getByLabelText('Rule file'), FILE);
  await expect.element(screen.getByText(/^2 errors\..* Not checked: 1,200 further rules\.$/)).toBeVisible();
  await expect.element(screen.getByText(/rule 9 \(PlimsollSwap\)/)).toBeVisible();
  await expect.element(screen.getByRole('button', { name: 'Import 0 rules' })).toBeDisabled();
});

it('says why the API refuses a file', async () => {
  const { screen } = await open({ status: 400, detail: 'yaml: must be at most 1048576 characters' });
  await userEvent.upload(screen.getByLabelText('Rule file'), FILE);
  await expect.element(screen.getByText(/at most 1048576 characters/)).toBeVisible();
});

it('is not there for a viewer, and fits a phone', async () => {
  const viewer = await open({ data: DRY }, 'viewer');
  await expect.element(viewer.screen.getByRole('link', { name: 'Prometheus YAML' })).toBeVisible();
  expect(viewer.screen.getByRole('button', { name: 'Import' }).elements()).toEqual([]);
  await viewer.screen.unmount();
  await page.viewport(390, 800);
  onTestFinished(() => page.viewport(1280, 800));
  const { screen } = await open({ data: DRY });
  await userEvent.upload(screen.getByLabelText('Rule file'), FILE);
  await expect.element(screen.getByText('2 new, 1 changed, 21 unchanged rules.')).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
});
