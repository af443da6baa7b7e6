import type { AlertRulesAnswer } from '@plimsoll/contract/wire/alert-rules';
import type { ClusterObjectsAnswer } from '@plimsoll/contract/wire/custom-resources';
import type { ClustersAnswer } from '@plimsoll/contract/wire/kubernetes';
import { beforeEach, expect, test } from 'vitest';
import { testApp, type TestApp, type TestUser } from '../testing/app.ts';
import * as kube from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { reportingCluster, type ReportingCluster } from '../testing/reporting-cluster.ts';

const db = testStorage();
let app: TestApp;
let user: TestUser;
let cluster: ReportingCluster;
let seq = 0;
beforeEach(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  user = await app.newUser();
  cluster = await reportingCluster(app, user);
  await cluster.report([kube.listing({ nodes: [cluster.node('node-1')] })]);
});

const rule = (name: string, spec: object) => ({
  kind: 'AlertRule',
  namespace: 'plimsoll',
  name,
  uid: `uid-${name}`,
  generation: 1,
  created_at: kube.SECONDS,
  spec: { lines: [{ level: 'warning', threshold: 2 }], ...spec },
  secrets: null,
});
const OWN = rule('own', { metric: 'pod_pending', target: 'cluster' });
const WIDE = [
  rule('all', { metric: 'cpu_usage', target: 'all' }),
  rule('every-cluster', { metric: 'pod_pending', target: 'all' }),
  rule('tag', { metric: 'cpu_usage', target: 'tag', tagKey: 'env' }),
  rule('mount', { metric: 'disk_usage', target: 'mount', mount: '/' }),
];

async function sync(objects: object[]): Promise<Record<string, string>> {
  seq += 1;
  const body = {
    v: 1,
    cluster_uid: cluster.id,
    collector: { id: 'pod', term: 7 },
    seq,
    release_namespace: 'plimsoll',
    covers: ['AlertRule', 'NotificationChannel', 'Silence'],
    objects,
  };
  const answer = await app.call('POST', '/api/agent/v1/cluster/objects', { token: cluster.token, body });
  const { objects: verdicts } = answer.json as unknown as ClusterObjectsAnswer;
  return Object.fromEntries(
    verdicts.map(({ name, reason, is_kept }) => [name, `${reason ?? 'ok'} ${String(is_kept)}`]),
  );
}
const allow = (allowed: boolean, who = user) =>
  app.call('PUT', `/api/kubernetes/clusters/${cluster.id}`, {
    token: who.token,
    body: { objects_rule_organisation: allowed },
  });
const ruleNames = async (): Promise<string[]> => {
  const { json } = await app.call('GET', '/api/alerts/rules', user);
  return (json.data as unknown as AlertRulesAnswer).rules.map(({ object }) => object?.name ?? '').toSorted();
};
const isAllowed = async (): Promise<boolean | undefined> => {
  const { json } = await app.call('GET', '/api/kubernetes/clusters', user);
  return (json.data as unknown as ClustersAnswer).clusters[0]?.objects_rule_organisation;
};

test('the objects of a new cluster set no rule of the whole organisation until an admin allows it', async () => {
  expect(await isAllowed()).toBe(false);
  const off = 'OrganisationRulesOff false';
  expect(await sync([OWN, ...WIDE])).toEqual({ own: 'ok false', all: off, 'every-cluster': off, tag: off, mount: off });
  expect(await ruleNames()).toEqual(['own']);

  const allowed = await allow(true);
  expect([allowed.status, allowed.audited, await isAllowed()]).toEqual([200, ['cluster_changed'], true]);
  const ok = 'ok false';
  expect(await sync([OWN, ...WIDE])).toEqual({ own: ok, all: ok, 'every-cluster': ok, tag: ok, mount: ok });
  expect(await ruleNames()).toEqual(['all', 'every-cluster', 'mount', 'own', 'tag']);

  // The collector need not send again: its token may be in other hands.
  expect((await allow(false)).audited).toEqual(['cluster_changed']);
  expect(await ruleNames()).toEqual(['own']);
  expect((await allow(false)).audited).toEqual([]);
  expect((await sync([OWN, ...WIDE]))['all']).toBe(off);
});

test('the cluster of another organisation is unknown, and an editor may not change it', async () => {
  const stranger = await app.newUser();
  const answer = await allow(true, stranger);
  expect([answer.status, await isAllowed()]).toEqual([404, false]);
  await db.sql("UPDATE membership SET organisation_id = $2, role = 'editor' WHERE account_id = $1", [
    stranger.personId,
    user.organisationId,
  ]);
  expect((await allow(true, stranger)).status).toBe(403);
});
