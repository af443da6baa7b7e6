import { expect, test } from 'vitest';
import type { ClusterTokensAnswer } from '@plimsoll/contract/wire/kubernetes';
import { loadConfig } from '../config.ts';
import { ownerOf } from '../tenancy/owner.ts';
import { testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';
import { adoptClusterToken } from './cluster-tokens.ts';
import { hashToken, newToken } from '../accounts/tokens.ts';

const db = testStorage();

test('a token from outside is known once, before and after the first account', async () => {
  const app = testApp(db.storage());
  const { tokens } = db.storage().kubernetes;
  const parts = { tokens, clock: app.clock };
  const early = newToken('cluster');
  await adoptClusterToken(parts, null, early);
  expect(await tokens.find(hashToken(early), app.clock.now())).toMatchObject({ organisationId: null });

  const first = await app.newUser();
  expect(await tokens.find(hashToken(early), app.clock.now())).toMatchObject({ organisationId: first.organisationId });
  app.clock.pass(1);
  await app.newUser();
  const late = newToken('cluster');
  await Promise.all([adoptClusterToken(parts, null, late), adoptClusterToken(parts, null, late)]);
  await adoptClusterToken(parts, null, late);
  const listed = await tokens.list(ownerOf(first.organisationId));
  expect(listed.map(({ lastFour }) => lastFour).toSorted()).toEqual([early.slice(-4), late.slice(-4)].toSorted());
});

test('a token that nobody uses expires after 24 h; one that was used does not', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const { tokens } = db.storage().kubernetes;
  const create = async (): Promise<string> => {
    const { json } = await app.call('POST', '/api/user/cluster-tokens', { ...user, body: {} });
    return (json.data as unknown as { token: string }).token;
  };
  const expiries = async () => {
    const { json } = await app.call('GET', '/api/user/cluster-tokens', user);
    return (json.data as unknown as ClusterTokensAnswer).tokens.map(({ last_four, expires_at }) => [
      last_four,
      expires_at,
    ]);
  };
  const unused = await create();
  const expiry = new Date(app.clock.now() + 86_400_000).toISOString();
  const used = await create();
  app.clock.pass(86_399);
  expect(await tokens.find(hashToken(used), app.clock.now())).not.toBeNull();
  expect(Object.fromEntries(await expiries())).toEqual({ [unused.slice(-4)]: expiry, [used.slice(-4)]: null });
  app.clock.pass(1);
  expect(await tokens.find(hashToken(unused), app.clock.now())).toBeNull();
  const refused = await app.call('POST', '/api/agent/v1/cluster/reports', { token: unused, body: {} });
  expect([refused.status, refused.json.code]).toEqual([401, 'cluster_token_unknown']);
  app.clock.pass(86_400 * 400);
  expect(await tokens.find(hashToken(used), app.clock.now())).not.toBeNull();
});

test('anything else than a cluster token is refused by name', () => {
  expect(() => loadConfig({ PLIMSOLL_CLUSTER_TOKEN: newToken('api') }, false)).toThrow(
    'PLIMSOLL_CLUSTER_TOKEN is not a cluster token',
  );
  const token = newToken('cluster');
  expect(loadConfig({ PLIMSOLL_CLUSTER_TOKEN: token }, false).clusterToken).toBe(token);
});
