import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { paths } from '../../paths.ts';
import { drawApp } from '../../testing/draw-app.tsx';
import { ID } from '../../testing/every-answer.ts';

/** Calls that the API refuses to everybody but an admin. */
const ADMINS = ['POST /api/user/enrolment-tokens', 'GET /api/user/enrolment-tokens', 'GET /api/user/audit-log'];

/** Buttons below Profile by the lowest role that the API lets use them. */
const ONLY_ADMINS = [
  /^Invite/,
  /^Remove/,
  /^Rename/,
  /^Withdraw/,
  /^New status page/,
  /^Revoke/,
  /^New token/,
  /^Generate/,
];
const ONLY_EDITORS = [/^Announce/, /^Add an update/, /^Correct the update/];

describe.each([
  ['viewer', [...ONLY_ADMINS, ...ONLY_EDITORS, /^Edit/, /^Delete/]],
  ['editor', ONLY_ADMINS],
] as const)('a person who is a(n) %s', (role, refused) => {
  it.each([paths.profile, paths.team, paths.statusPages, paths.statusIncidents(ID)])(
    'sees no button on %s that the API refuses, and no panel with an error',
    async (path) => {
      const { settled, calls } = await drawApp(path, { role });
      await settled();
      await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
      for (const name of [...refused, 'Retry'])
        expect([String(name), page.getByRole('main').getByRole('button', { name }).elements()]).toEqual([
          String(name),
          [],
        ]);
      const made = calls.map(({ method, path: called }) => `${method} ${called.split('?')[0] ?? ''}`);
      expect(made.filter((call) => ADMINS.includes(call))).toEqual([]);
    },
  );
});

describe.each(['viewer', 'editor'] as const)('for a person who is a(n) %s', (role) => {
  it('the profile has no button that the API refuses, and no panel with an error', async () => {
    const { settled, calls } = await drawApp(paths.profile, { role });
    await settled();
    await expect.element(page.getByRole('heading', { name: 'Tokens' })).toBeVisible();
    for (const name of ['Audit log', 'Permanent token'])
      expect([name, page.getByRole('heading', { name }).elements()]).toEqual([name, []]);
    for (const name of ['Revoke', 'New token', 'Generate token', 'Delete account', 'Retry'])
      expect([name, page.getByRole('button', { name }).elements()]).toEqual([name, []]);
    const made = calls.map(({ method, path }) => `${method} ${path.split('?')[0] ?? ''}`);
    expect(made.filter((call) => ADMINS.includes(call))).toEqual([]);
  });

  it('Setup says who installs agents, and requests no token', async () => {
    const { settled, calls } = await drawApp(paths.setup, { role });
    await settled();
    await expect.element(page.getByText('Only an admin installs agents')).toBeVisible();
    expect(page.getByRole('button', { name: 'Retry' }).elements()).toEqual([]);
    expect(calls.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

it('an admin sees all of it', async () => {
  const { settled } = await drawApp(paths.profile, {});
  await settled();
  for (const name of ['Audit log', 'Permanent token'])
    await expect.element(page.getByRole('heading', { name })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'New token' })).toBeVisible();
});
