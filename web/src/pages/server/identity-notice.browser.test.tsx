import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { IdentityNotice } from './identity-notice.tsx';

const identity = (given: object = {}) => ({ shares_machine_id_with: [], former_token_used_at: null, ...given });

it('names the other servers with the same machine id, with links, and what to do', async () => {
  const others = [
    { id: '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c12', name: 'ct102' },
    { id: '7d0c1f6e-7b7a-4b0f-9a39-0d0a4f2f1c13', name: 'ct103' },
  ];
  const screen = await draw(<IdentityNotice server={{ identity: identity({ shares_machine_id_with: others }) }} />);
  await expect.element(screen.getByRole('status')).toMatchTextContent(/shares its machine id with ct102, ct103\./);
  for (const { id, name } of others)
    await expect.element(screen.getByRole('link', { name })).toHaveAttribute('href', `/servers/${id}`);
  await expect.element(screen.getByText(/systemd-machine-id-setup/)).toBeVisible();
});

it('says when a collector with a former token was refused', async () => {
  const usedAt = new Date(Date.now() - 4 * 60_000).toISOString();
  const screen = await draw(<IdentityNotice server={{ identity: identity({ former_token_used_at: usedAt }) }} />);
  await expect.element(screen.getByText('4 min ago')).toBeVisible();
  await expect.element(screen.getByText('plimsoll status')).toBeVisible();
});

it('shows nothing for a server that is one machine', async () => {
  const screen = await draw(<IdentityNotice server={{ identity: identity() }} />);
  expect(screen.getByRole('status').elements()).toEqual([]);
});
