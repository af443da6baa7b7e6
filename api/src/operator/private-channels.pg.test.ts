import type { ClusterObjectsAnswer } from '@plimsoll/contract/wire/custom-resources';
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import * as kube from '../testing/kubernetes.ts';
import { testStorage } from '../testing/postgres.ts';
import { reportingCluster } from '../testing/reporting-cluster.ts';

const db = testStorage();

/** Returns the verdict on each channel, by name. */
async function verdictsOn(channels: Record<string, object>, settings: Record<string, string> = {}) {
  const app = testApp(db.storage(), { settings });
  app.clock.ms = kube.NOW;
  const user = await app.newUser();
  const cluster = await reportingCluster(app, user);
  await cluster.report([kube.listing({ nodes: [cluster.node('node-1')] })]);
  const objects = Object.entries(channels).map(([name, parts]) => ({
    kind: 'NotificationChannel',
    namespace: 'plimsoll',
    name,
    uid: `uid-${name}`,
    generation: 1,
    created_at: kube.SECONDS,
    secrets: null,
    ...parts,
  }));
  const body = {
    v: 1,
    cluster_uid: cluster.id,
    collector: { id: 'pod', term: 7 },
    seq: 1,
    release_namespace: 'plimsoll',
    covers: ['NotificationChannel'],
    objects,
  };
  const answer = await app.call('POST', '/api/agent/v1/cluster/objects', { token: cluster.token, body });
  const { objects: verdicts } = answer.json as unknown as ClusterObjectsAnswer;
  return Object.fromEntries(verdicts.map(({ name, reason, message }) => [name, [reason, message]]));
}
const webhook = (url: string) => ({ spec: { type: 'webhook', settings: { url } } });
const REMEDY = 'Use a public address, or let the operator open the range with PLIMSOLL_ALLOWED_PRIVATE_RANGES.';

test('a channel of an object leads to a private address no more than one of the form', async () => {
  const verdicts = await verdictsOn({
    loopback: webhook('http://127.0.0.1:9/hook'),
    metadata: webhook('http://169.254.169.254/latest'),
    mapped: webhook('http://[::ffff:10.0.0.1]/'),
    number: webhook('http://2130706433/'),
    mail: {
      spec: {
        type: 'email',
        settings: { host: '10.0.0.25', port: 25, from: 'a@example.com', to: ['b@example.com'], security: 'tls' },
      },
    },
    secret: {
      spec: { type: 'webhook', settings: {}, secretRef: { name: 'hook' } },
      secrets: { url: 'http://192.168.0.1/' },
    },
    public: webhook('http://8.8.8.8/hook'),
  });
  expect(verdicts).toMatchObject({
    loopback: ['Invalid', `spec.settings.url: 127.0.0.1 leads to a private address. ${REMEDY}`],
    metadata: ['Invalid', expect.stringContaining('leads to a private address')],
    mapped: ['Invalid', expect.stringContaining('leads to a private address')],
    number: ['Invalid', expect.stringContaining('leads to a private address')],
    mail: ['Invalid', expect.stringContaining('spec.settings.host: ')],
    secret: ['Invalid', `spec.secretRef: key url: 192.168.0.1 leads to a private address. ${REMEDY}`],
    public: [null, null],
  });
});

test('a range that the operator opened stays open for objects', async () => {
  const opened = { PLIMSOLL_ALLOWED_PRIVATE_RANGES: '10.0.0.0/8' };
  const channels = { inside: webhook('http://10.1.2.3/'), outside: webhook('http://192.168.0.1/') };
  expect(await verdictsOn(channels, opened)).toMatchObject({
    inside: [null, null],
    outside: ['Invalid', expect.any(String)],
  });
});
