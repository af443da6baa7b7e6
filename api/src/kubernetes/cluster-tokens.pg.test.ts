import { expect, test } from 'vitest';
import { loadConfig } from '../config.ts';
import { ownerOf } from '../accounts/owner.ts';
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
  expect(await tokens.find(hashToken(early), app.clock.now())).toMatchObject({ accountId: null });

  const first = await app.newUser();
  expect(await tokens.find(hashToken(early), app.clock.now())).toMatchObject({ accountId: first.accountId });
  app.clock.pass(1);
  await app.newUser();
  const late = newToken('cluster');
  await Promise.all([adoptClusterToken(parts, null, late), adoptClusterToken(parts, null, late)]);
  await adoptClusterToken(parts, null, late);
  const listed = await tokens.list(ownerOf(first.accountId));
  expect(listed.map(({ lastFour }) => lastFour).toSorted()).toEqual([early.slice(-4), late.slice(-4)].toSorted());
});

test('anything else than a cluster token is refused by name', () => {
  expect(() => loadConfig({ PLIMSOLL_CLUSTER_TOKEN: newToken('api') }, false)).toThrow(
    'PLIMSOLL_CLUSTER_TOKEN is not a cluster token',
  );
  const token = newToken('cluster');
  expect(loadConfig({ PLIMSOLL_CLUSTER_TOKEN: token }, false).clusterToken).toBe(token);
});
