import type { MemberAccess, TeamAnswer } from '@plimsoll/contract/wire/accounts/team';
import { expect, test } from 'vitest';
import { drawPage, type Answers } from '../../../testing/draw-page.tsx';
import { Component } from './team-page.tsx';

const [ADA, BOB, LINK] = ['a', 'b', 'c'].map((letter) => `00000000-0000-4000-8000-00000000000${letter}`) as [
  string,
  string,
  string,
];
const NOW = '2026-01-01T00:00:00.000Z';
const member = { account_id: ADA, name: 'Ada', email: 'ada@example.com', joined_at: NOW };
const ada = { ...member, role: 'admin', is_founder: true, is_you: true } as const;
const bob = {
  ...member,
  account_id: BOB,
  name: 'Bob',
  email: 'bob@example.com',
  role: 'viewer',
  is_founder: false,
  is_you: false,
} as const;
const open = {
  id: LINK,
  role: 'editor',
  email: null,
  created_at: NOW,
  created_by: null,
  expires_at: '2126-01-01T00:00:00.000Z',
} as const;
const team = (more: Partial<TeamAnswer> = {}) => ({
  data: { name: 'Harbour', members: [ada, bob], invitations: [], former: [], ...more },
});
const show = (answers: Answers) => drawPage(<Component />, { 'GET /api/team': team(), ...answers });
type Screen = Awaited<ReturnType<typeof drawPage>>['screen'];
const row = (screen: Screen, name: string) => screen.getByRole('listitem', { name, exact: true });

test('an invitation is a link that is shown once', async () => {
  let invitations: TeamAnswer['invitations'] = [];
  const { screen, callsTo } = await show({
    'GET /api/team': () => team({ invitations }),
    'POST /api/team/invitations': () => {
      invitations = [open];
      return { data: { ...open, code: 'plm_invite_secret' } };
    },
  });
  await screen.getByRole('button', { name: 'Invite' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('Role').selectOptions('editor');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = `${window.location.origin}/join#code=plm_invite_secret`;
  await expect.element(dialog.getByText(link)).toBeVisible();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.element(row(screen, 'Whoever has the link')).toBeVisible();
  expect(screen.container.textContent).not.toContain('plm_invite_secret');
  expect(callsTo('POST', '/api/team/invitations').map(({ body }) => body)).toEqual([
    { role: 'editor', email: null, expires_in_days: 7 },
  ]);
});

test("an invitation for an address sends it, and the API's refusal stays in the form", async () => {
  const { screen, callsTo } = await show({
    'POST /api/team/invitations': { status: 422, detail: '50 invitations are open', remedy: 'Withdraw one.' },
  });
  await screen.getByRole('button', { name: 'Invite' }).click();
  const dialog = screen.getByRole('dialog');
  await dialog.getByLabelText('E-mail (optional)').fill(' cleo@example.com ');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect.element(dialog.getByText(/50 invitations are open/)).toBeVisible();
  expect(callsTo('POST', '/api/team/invitations')[0]?.body).toMatchObject({ email: 'cleo@example.com' });
});

test('an admin changes the role of others, and nobody that of the founder', async () => {
  const { screen, callsTo } = await show({ [`PUT /api/team/members/${BOB}`]: { data: {} } });
  await row(screen, 'Bob').getByRole('button', { name: 'Editor' }).click();
  await expect
    .poll(() => callsTo('PUT', `/api/team/members/${BOB}`).map(({ body }) => body))
    .toEqual([{ role: 'editor' }]);
  await expect.element(row(screen, 'Ada').getByText('Admin')).toBeVisible();
  expect(row(screen, 'Ada').getByRole('button').elements()).toEqual([]);
});

const NOTHING: MemberAccess = { enrolment_tokens: [], cluster_tokens: [], invitations: [], status_pages: [] };
const [USED, SPARE, INSTALL, PAGE] = ['1', '2', '3', '4'].map((n) => `00000000-0000-4000-8000-0000000000b${n}`) as [
  string,
  string,
  string,
  string,
];
const LATER = '2126-01-01T00:00:00.000Z';
const clusterToken = { name: null, last_four: 'abcd', created_at: NOW, last_used_at: null, expires_at: null } as const;
const MADE: MemberAccess = {
  cluster_tokens: [
    { ...clusterToken, id: USED, cluster_name: 'prod', last_used_at: NOW, proposed: 'replace' },
    { ...clusterToken, id: SPARE, cluster_name: null, proposed: 'revoke' },
  ],
  enrolment_tokens: [{ id: INSTALL, created_at: NOW, expires_at: LATER, servers: 2, proposed: 'revoke' }],
  invitations: [{ id: LINK, role: 'admin', email: null, expires_at: LATER, proposed: 'revoke' }],
  status_pages: [{ id: PAGE, title: 'Shop', path: '/status/x', proposed: 'revoke' }],
};
const bobMade = (made: MemberAccess) => ({ [`GET /api/team/members/${BOB}/access`]: { data: made } });
const replacedAnswer = {
  data: {
    replaced: [{ id: LINK, name: 'prod', token: 'plm_cluster_secret', ends_at: LATER }],
    public_url: 'https://dashboard.example',
  },
};

test('a member who made nothing is removed after a question', async () => {
  const removal = { [`DELETE /api/team/members/${BOB}`]: { data: { replaced: [], public_url: null } } };
  const { screen, callsTo } = await show({ ...bobMade(NOTHING), ...removal });
  await screen.getByRole('button', { name: 'Remove Bob' }).click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByText('Nothing that Bob made still works.')).toBeVisible();
  expect(callsTo('DELETE', `/api/team/members/${BOB}`)).toEqual([]);
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => callsTo('DELETE', `/api/team/members/${BOB}`)).toHaveLength(1);
  await expect.element(dialog).not.toBeInTheDocument();
});

test('a removal lists what the member made, preselects its end, and shows the command of a replaced token', async () => {
  const removal = { [`DELETE /api/team/members/${BOB}`]: replacedAnswer };
  const { screen, callsTo } = await show({ ...bobMade(MADE), ...removal });
  await screen.getByRole('button', { name: 'Remove Bob' }).click();
  const dialog = screen.getByRole('dialog');
  await expect.element(dialog.getByLabelText('Cluster token prod')).toHaveValue('replace');
  await expect.element(dialog.getByLabelText('Cluster token ••••abcd')).toHaveValue('revoke');
  await expect.element(dialog.getByLabelText('Invitation of whoever has the link')).toHaveValue('revoke');
  await expect.element(dialog.getByText(/2 servers enrolled, ends 1 Jan/)).toBeVisible();
  await dialog.getByLabelText('Status page Shop').selectOptions('Keep');
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect
    .poll(() => callsTo('DELETE', `/api/team/members/${BOB}`).map(({ body }) => body))
    .toEqual([{ revoke: [SPARE, INSTALL, LINK], replace: [USED] }]);
  const shown = screen.getByRole('dialog');
  await expect
    .element(shown.getByText(/helm upgrade plimsoll-collectors/))
    .toMatchTextContent(/plimsoll\.tgz .*--set-string token\.value=plm_cluster_secret$/);
  await shown.getByRole('button', { name: 'Done' }).click();
  expect(screen.container.textContent).not.toContain('plm_cluster_secret');
});

test('a refused removal keeps the list open with the reason', async () => {
  const removal = { [`DELETE /api/team/members/${BOB}`]: { status: 400, detail: 'revoke: is gone' } };
  const { screen } = await show({ ...bobMade(MADE), ...removal });
  await screen.getByRole('button', { name: 'Remove Bob' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.element(screen.getByRole('dialog').getByText(/revoke: is gone/)).toBeVisible();
});

test('nobody is removed before the list is there', async () => {
  const { screen } = await show({ [`GET /api/team/members/${BOB}/access`]: 'pending' });
  await screen.getByRole('button', { name: 'Remove Bob' }).click();
  await expect.element(screen.getByRole('dialog').getByText('Loading what Bob made…')).toBeVisible();
  await expect.element(screen.getByRole('dialog').getByRole('button', { name: 'Remove' })).toBeDisabled();
});

test('what a former member made is ended later', async () => {
  const former = [{ account_id: BOB, name: 'Bob', works: 2 }];
  const { screen, callsTo } = await show({
    'GET /api/team': team({ members: [ada], former }),
    ...bobMade({ ...NOTHING, enrolment_tokens: MADE.enrolment_tokens }),
    [`POST /api/team/members/${BOB}/access/end`]: { data: { replaced: [], public_url: null } },
  });
  await expect.element(row(screen, 'Bob').getByText('2 tokens, links or pages still work')).toBeVisible();
  await screen.getByRole('button', { name: 'Review what Bob made' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'End' }).click();
  await expect
    .poll(() => callsTo('POST', `/api/team/members/${BOB}/access/end`).map(({ body }) => body))
    .toEqual([{ revoke: [INSTALL], replace: [] }]);
});

test('an open invitation is withdrawn', async () => {
  const { screen, callsTo } = await show({
    'GET /api/team': team({ invitations: [open] }),
    [`DELETE /api/team/invitations/${LINK}`]: { data: {} },
  });
  await screen.getByRole('button', { name: 'Withdraw the invitation of Whoever has the link' }).click();
  await expect.poll(() => callsTo('DELETE', `/api/team/invitations/${LINK}`)).toHaveLength(1);
});

test('the organisation is renamed', async () => {
  const { screen, callsTo } = await show({ 'PUT /api/team': { data: {} } });
  await expect.element(screen.getByRole('button', { name: 'Rename' })).toBeDisabled();
  await screen.getByLabelText('Name of the organisation').fill('Docks');
  await screen.getByRole('button', { name: 'Rename' }).click();
  await expect.poll(() => callsTo('PUT', '/api/team').map(({ body }) => body)).toEqual([{ name: 'Docks' }]);
});

test('a viewer sees the members, changes nothing, and can leave', async () => {
  const { screen, callsTo } = await show({
    'GET /api/auth/profile': { data: { user: { role: 'viewer' }, demo: false, public_url: null } },
    'GET /api/team': team({
      members: [
        { ...ada, is_you: false },
        { ...bob, is_you: true },
      ],
    }),
    'POST /api/team/leave': { data: {} },
  });
  await expect.element(row(screen, 'Bob').getByText('Viewer')).toBeVisible();
  for (const name of ['Invite', 'Rename', 'Remove Ada']) {
    expect(screen.getByRole('button', { name }).elements()).toEqual([]);
  }
  await screen.getByRole('button', { name: 'Leave this organisation' }).click();
  await screen.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await expect.poll(() => callsTo('POST', '/api/team/leave')).toHaveLength(1);
});
