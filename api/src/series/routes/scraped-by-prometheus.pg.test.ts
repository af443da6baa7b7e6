/** The real Prometheus scrapes GET /api/metrics as docs/metrics.md describes, and promtool checks the answer. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashToken, newToken } from '../../accounts/tokens.ts';
import { createApp } from '../../app.ts';
import { listen, type Listening } from '../../http/listen.ts';
import { reportsBody, testApp, type TestAgent, type TestApp } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import { listing, nodeObject, podObject, testCluster } from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { type Prometheus, promtoolCheckMetrics, startPrometheus } from '../../testing/prometheus.ts';

const db = testStorage();
const CLUSTER = '7d3f8e4a-54b6-4bb3-8e0f-0123456789ab';
const folder = mkdtempSync('/tmp/plimsoll-scrape-');
/** Prometheus takes up new targets every 5 s. */
const SCRAPED = { timeout: 30_000, interval: 200 };
let app: TestApp;
let agent: TestAgent;
let token: string;
let api: Listening;
let prometheus: Prometheus;

/** The configuration of docs/metrics.md, with `name` as the job. */
const job = (name: string, tokenFile: string): string => `
  - job_name: ${name}
    metrics_path: /api/metrics
    scrape_interval: 1s
    authorization: { credentials_file: ${tokenFile} }
    static_configs: [{ targets: ['127.0.0.1:${String(api.port)}'] }]`;

const tokenFile = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};

beforeAll(async () => {
  app = testApp(db.storage());
  const user = await app.newUser();
  agent = await app.newAgent(user, 'web-1');
  const now = app.clock.now();
  const body = reportsBody(agent, now, [fullReport('web-1', now / 1000)]);
  await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  const cluster = await testCluster(db.storage(), user.organisationId, CLUSTER, now, hashToken(newToken('cluster')));
  await cluster.write(listing({ nodes: [nodeObject('node-1')], pods: [podObject('a')] }));
  token = newToken('api');
  const entry = {
    name: 'prometheus',
    scopes: ['read'] as const,
    tokenHash: hashToken(token),
    lastFour: token.slice(-4),
    expiresAt: null,
  };
  await db.storage().identity.apiTokens.replace(user.personId, entry, now);
  api = await listen(createApp(app.deps).fetch, { host: '127.0.0.1', port: 0 });
  const jobs = [
    job('plimsoll-servers', tokenFile('token', token)),
    job('refused', tokenFile('wrong', newToken('api'))),
  ];
  prometheus = await startPrometheus(`scrape_configs:${jobs.join('')}\n`);
});
afterAll(async () => {
  await prometheus.stop();
  await api.close();
  rmSync(folder, { recursive: true });
});

test('finds the figures of a server by PromQL', async () => {
  const memory = 'plimsoll_server_memory_used_bytes / plimsoll_server_memory_size_bytes * 100';
  await vi.waitFor(async () => {
    expect(await prometheus.query('up{job="plimsoll-servers"}')).toMatchObject([{ value: 1 }]);
    expect(await prometheus.query(memory)).toMatchObject([
      { labels: { server: 'web-1', server_id: agent.serverId, region: 'DE' }, value: 37.5 },
    ]);
  }, SCRAPED);
  expect(await prometheus.query('plimsoll_server_filesystem_used_bytes{mount="/"}')).toMatchObject([
    { labels: { device: '/dev/vda1' }, value: 25 * 2 ** 30 },
  ]);
  expect(await prometheus.query('plimsoll_kubernetes_node_ready{node="node-1"}')).toHaveLength(1);
});

test('refuses the scrape of an unknown token', async () => {
  await vi.waitFor(
    async () => expect(await prometheus.query('up{job="refused"}')).toMatchObject([{ value: 0 }]),
    SCRAPED,
  );
  expect(await prometheus.query('count({job="refused", __name__=~"plimsoll_.+"})')).toEqual([]);
});

test('promtool finds no problem in the answer', async () => {
  const { text } = await app.call('GET', '/api/metrics', { token });
  expect(text).toContain('plimsoll_kubernetes_pods_omitted 0');
  expect(promtoolCheckMetrics(text)).toBe('');
});
