import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { TokensPanel } from './tokens-panel.tsx';

const token = (name: string, more: object = {}) => ({
  id: '00000000-0000-4000-8000-0000000000c1',
  name,
  last_four: 'wAO8',
  scopes: ['read'],
  created_at: '2026-01-01T00:00:00.000Z',
  last_used_at: null,
  expires_at: null,
  ...more,
});
const given = (tokens: object[]) => ({
  'GET /api/user/api-tokens': { data: { tokens, total: tokens.length } },
  'GET /api/user/cluster-tokens': { data: { tokens: [], total: 0 } },
  'GET /api/user/enrolment-tokens': { data: { tokens: [], total: 0 } },
  'POST /api/user/generate-auth-token': { data: { ...token('mcp'), token: 'plm_api_secret', replaced: false } },
});

it('creates a read-only token that expires, and shows its secret once', async () => {
  const { screen, callsTo } = await drawPage(<TokensPanel />, given([token('ci')]), { at: '/profile' });
  await screen.getByRole('button', { name: 'New token' }).click();
  const create = screen.getByRole('button', { name: 'Create' });
  await expect.element(create).toBeDisabled();
  await screen.getByLabelText('Name').fill('ci');
  await expect.element(screen.getByText(/^A token of this name exists/)).toBeVisible();
  await expect.element(create).toBeDisabled();
  await screen.getByLabelText('Name').fill('mcp');
  await create.click();
  await expect.element(screen.getByText('plm_api_secret')).toBeVisible();
  expect(callsTo('POST', '/api/user/generate-auth-token').map(({ body }) => body)).toEqual([
    { name: 'mcp', scopes: ['read'], expires_in_days: 90 },
  ]);
  await expect.element(screen.getByRole('button', { name: 'Cancel' })).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'Done' }).click();
  await expect.element(screen.getByText('plm_api_secret')).not.toBeInTheDocument();
});

it('says when a token ends, and when one has ended', async () => {
  const [past, future] = ['2026-01-02T10:00:00.000Z', '2036-01-02T10:00:00.000Z'];
  const tokens = [token('old', { expires_at: past }), token('new', { expires_at: future }), token('ever')];
  const { screen } = await drawPage(<TokensPanel />, given(tokens), { at: '/profile' });
  await expect.element(screen.getByText(/, expired /)).toBeVisible();
  await expect.element(screen.getByText(/, expires /)).toBeVisible();
  await expect.element(screen.getByText(/does not expire/)).toBeVisible();
});

it('keeps the form open with the reason when the API refuses', async () => {
  const refused = { status: 400, detail: 'name: must not be empty' };
  const answers = { ...given([]), 'POST /api/user/generate-auth-token': refused };
  const { screen } = await drawPage(<TokensPanel />, answers, { at: '/profile' });
  await screen.getByRole('button', { name: 'New token' }).click();
  await screen.getByLabelText('Name').fill('mcp');
  await screen.getByRole('button', { name: 'Create' }).click();
  await expect.element(screen.getByText(/name: must not be empty/)).toBeVisible();
});

it('names who made a cluster token or an install command, and revokes the command', async () => {
  const id = '00000000-0000-4000-8000-0000000000d1';
  const creator = { account_id: id, name: 'Bob' };
  const cluster = { ...token('prod'), cluster_id: null, cluster_name: null, is_replaced: false };
  const install = { id, created_at: cluster.created_at, expires_at: '2036-01-02T10:00:00.000Z', servers: 3 };
  const answers = {
    ...given([]),
    'GET /api/user/cluster-tokens': {
      data: {
        tokens: [
          { ...cluster, created_by: null },
          { ...cluster, id, created_by: { ...creator, name: null } },
        ],
        total: 2,
      },
    },
    'GET /api/user/enrolment-tokens': { data: { tokens: [{ ...install, created_by: creator }], total: 1 } },
    [`DELETE /api/user/enrolment-tokens/${id}`]: { data: {} },
  };
  const { screen, callsTo } = await drawPage(<TokensPanel />, answers, { at: '/profile' });
  await expect.element(screen.getByText(/by unknown, never used/)).toBeVisible();
  await expect.element(screen.getByText(/by a deleted account, never used/)).toBeVisible();
  const command = screen.getByRole('listitem').filter({ hasText: 'Install command' });
  await expect.element(command.getByText(/by Bob, 3 servers enrolled, expires/)).toBeVisible();
  await command.getByRole('button', { name: 'Revoke' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await expect.poll(() => callsTo('DELETE', `/api/user/enrolment-tokens/${id}`)).toHaveLength(1);
});
