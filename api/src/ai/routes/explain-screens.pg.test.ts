import type { ChatAnswer } from '@plimsoll/contract/wire/ai';
import type { AlertsAnswer } from '@plimsoll/contract/wire/alerts/alerts';
import { expect, test } from 'vitest';
import { reportsBody, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import * as kube from '../../testing/kubernetes.ts';
import { mcpClient } from '../../testing/mcp-client.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster } from '../../testing/reporting-cluster.ts';

const db = testStorage();
const explain = async (app: TestApp, user: TestUser, subject: object) =>
  app.call('POST', '/api/ai/chat', { token: user.token, body: { question: 'Why?', explain: subject } });

/** Reports a quiet machine, and one busy with java in the last half hour before now. */
async function busyServer(app: TestApp, user: TestUser, hostname: string) {
  const agent = await app.newAgent(user, hostname);
  const now = app.clock.now() / 1000;
  const items = Array.from({ length: 120 }, (_, index) => {
    const before = (119 - index) * 60;
    const busy = before <= 1800;
    const ts = now - before;
    return {
      ...fullReport(hostname, ts),
      ts,
      up: 100_000 - before,
      window_seconds: 60,
      cpu: {
        percent: busy ? 96 : 10,
        io_wait_percent: 1,
        steal_percent: 0,
        user_percent: 9,
        system_percent: 1,
        per_core_percent: [],
      },
      processes: [
        {
          pid: 7,
          name: 'java',
          command: 'java -jar a.jar',
          user: 'app',
          status: 'R',
          cpu_percent: busy ? 360 : 12,
          memory_percent: 4,
          memory_bytes: 2 ** 29,
          threads: 9,
          started_at: now - 86_400,
        },
      ],
    };
  });
  for (let first = 0; first < items.length; first += 20) {
    const part = items.slice(first, first + 20).map((item, index) => ({ ...item, seq: first + index + 1 }));
    const sent = await app.call('POST', '/api/agent/v1/reports', {
      token: agent.token,
      body: reportsBody(agent, app.clock.now(), part),
    });
    expect([sent.status, sent.text]).toEqual([200, expect.stringContaining('"rejected":[]')]);
  }
  return { agent, range: { kind: 'range', server_id: agent.serverId, from: now - 2400, to: now } };
}

test('a range of a chart is explained by the process that takes the CPU in it, for its own account only', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const { agent, range } = await busyServer(app, user, 'web-1');
  const { answer, sources } = (await explain(app, user, range)).json.data as unknown as ChatAnswer;
  expect(answer).toContain('web-1, selected range');
  expect(answer).toMatch(/\*\*Finding:\*\* java takes/);
  expect(sources.map(({ href }) => href)).toContainEqual(expect.stringContaining(`/servers/${agent.serverId}?`));
  const foreign = await explain(app, await app.newUser(), range);
  expect([foreign.status, foreign.text.includes('web-1')]).toEqual([404, false]);
});

test('servers are compared by whole names, an ambiguous one is refused', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  await busyServer(app, user, 'web-1');
  await busyServer(app, user, 'web-10');
  const client = await mcpClient(app, user.token);
  const compare = async (servers: string[]) =>
    client.callTool({ name: 'compare_servers', arguments: { figure: 'cpu', servers, minutes: 360 } });
  const { content, isError } = await compare(['web-10', 'web-1']);
  const [{ text } = { text: '' }] = content as { text: string }[];
  expect([isError, text]).toEqual([false, expect.any(String)]);
  const { servers } = JSON.parse(text) as { servers: { hostname: string; statistics: Record<string, number> }[] };
  expect(servers.map(({ hostname }) => hostname)).toEqual(['web-10', 'web-1']);
  expect(servers[1]?.statistics).toMatchObject({ min: 10, max: 96, last: 96 });
  const ambiguous = await compare(['web-1', 'web']);
  expect([ambiguous.isError, JSON.stringify(ambiguous)]).toEqual([true, expect.stringContaining('no server')]);
});

test('an alert of a cluster is explained by its worst pod, for its own account only', async () => {
  const app = testApp(db.storage());
  app.clock.ms = kube.NOW;
  const user = await app.newUser();
  const cluster = await reportingCluster(app, user);
  const image = 'harbor.example/shop/web:2';
  const waiting = kube.container({
    image,
    status: 'waiting',
    reason: 'ImagePullBackOff',
    ready: false,
    started_at: null,
  });
  const pods = [
    cluster.pod('sound'),
    cluster.pod('broken', { phase: 'Pending', ready: false, reason: 'ImagePullBackOff', containers: [waiting] }),
  ];
  for (let minute = 0; minute < 20; minute += 1) {
    app.clock.pass(60);
    expect((await cluster.report([kube.listing({ pods })])).status).toBe(200);
  }
  const listed = await app.call('GET', '/api/data/notifications?status=active', user);
  const { alerts } = listed.json.data as unknown as AlertsAnswer;
  const alert = alerts.find(({ metric_name: metric }) => metric === 'pod_image_pull');
  const subject = { kind: 'alert', alert_id: alert?.alert_id };
  const asked = await explain(app, user, subject);
  expect([asked.status, asked.text]).toEqual([
    200,
    expect.stringContaining(`The image ${image} of Deployment shop/web cannot be pulled.`),
  ]);
  const { answer, sources } = asked.json.data as unknown as ChatAnswer;
  expect(answer).toContain('pod broken');
  expect(sources.map(({ href }) => href)).toContainEqual(expect.stringContaining('broken'));
  const foreign = await explain(app, await app.newUser(), subject);
  expect([foreign.status, foreign.text.includes('shop')]).toEqual([404, false]);
});
