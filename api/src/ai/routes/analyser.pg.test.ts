import type { ChatAnswer } from '@plimsoll/contract/wire/ai';
import { beforeAll, expect, test } from 'vitest';
import { reportsBody, testApp, type TestApp, type TestUser } from '../../testing/app.ts';
import { fullReport } from '../../testing/full-report.ts';
import * as kube from '../../testing/kubernetes.ts';
import { testStorage } from '../../testing/postgres.ts';
import { reportingCluster } from '../../testing/reporting-cluster.ts';

/** Answers without a model, over a small fleet: the right figure with its unit, its age and its time. */
const db = testStorage();
let app: TestApp;
let user: TestUser;

const reportOf = (hostname: string, percent: number, at: number): Record<string, unknown> => {
  const report = fullReport(hostname, at);
  return { ...report, cpu: { ...(report['cpu'] as Record<string, unknown>), percent } };
};

async function enrol(hostname: string, percent: number): Promise<void> {
  const agent = await app.newAgent(user, hostname);
  const now = app.clock.now();
  const body = reportsBody(agent, now, [reportOf(hostname, percent, now / 1000)]);
  const { text } = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect(text).toContain('"rejected":[]');
}

beforeAll(async () => {
  app = testApp(db.storage());
  app.clock.ms = kube.NOW - 3_600_000;
  user = await app.newUser();
  await enrol('db.eu-1', 55);
  // The database went silent before the others came.
  app.clock.ms = kube.NOW;
  await enrol('web-1', 22);
  await enrol('web-10', 71);
  const cluster = await reportingCluster(app, user);
  await cluster.report([kube.listing({ nodes: [cluster.node('node-1')], pods: [cluster.pod('cart-1')] })]);
  await app.call('PUT', `/api/kubernetes/clusters/${cluster.id}/name`, { token: user.token, body: { name: 'prod' } });
  app.clock.pass(70);
});

const answerTo = async (question: string): Promise<string> => {
  const { json } = await app.call('POST', '/api/ai/chat', { token: user.token, body: { question } });
  return (json.data as unknown as ChatAnswer).answer;
};

test.each([
  ['cpu of web-1', ['**web-1: CPU 22 % of 4 cores.**', 'Last report']],
  ['CPU OF WEB-1', ['**web-1: CPU 22 % of 4 cores.**']],
  ['how much memory is free on web-1', ['Memory 37.5 % of 16 GB, 10 GB free']],
  ['how much disk is left on web-1', ['Disk, fullest 25 % on /, 75 GB free']],
  ['cpu and memory of web-1', ['Memory 37.5 %', 'CPU 22 %']],
  ['what os does web-1 run', ['**web-1 runs Debian GNU/Linux 12.**']],
  ['how long has web-1 been up', ['web-1 has been up for 1 d', ', since ']],
  ['cpu of db.eu-1', ['It is offline, last report 1 h 1 min ago', '| figure | last report, ']],
  ['compare memory of web-1 and web-10', ['have the same mean memory usage: 37.5 %']],
  [
    'is web-10 busier than web-1',
    ['**web-10 has the higher mean CPU usage: 71 %.**', '| web-1 | 22 %, mean 22 %, max 22 % |'],
  ],
  ['which servers are above 50 % cpu', ['**1 server has a CPU usage above 50 %.**', '| web-10 |']],
  [
    'which server has the most free memory',
    ['has the most free memory: 10 GB, 37.5 % used.', '| web-1 | 10 GB | 37.5 % |'],
  ],
  ['how many servers are offline', ['**1 of 3 servers offline.**']],
  ['who had the highest cpu in the last 6 hours', ['**web-10 had the highest CPU usage in the last 6 h: 71 %, at ']],
  ['average load of web-1', ['web-1: load ', ' runnable tasks on average in the last hour']],
  ['cpu of web-1 yesterday', ['**No CPU usage of web-1 is stored on ', ' (UTC).**']],
  // A part of a name is enough where a sign ends it.
  ['cpu of db.eu', ['**db.eu-1: CPU 55 %']],
  ['alerts last night', ['No alert opened from ']],
  ['what changed yesterday', ['No change is stored on ']],
  ['how many clusters', ['**1 cluster, 0 silent; ']],
  ['is node node-1 ready', ['1 node with “node-1” in the name', 'Age of the data: ']],
  ['is postgres running on web-1', ['1 process of “postgres” on web-1']],
  ['is nginx running on web-1', ['“nginx” is not among the 1 process listed on web-1']],
  ['is the cpu of web-1 above 50%', ['web-1: CPU 22 % of 4 cores, which is not above 50 %.']],
  ['resolved alerts yesterday', ['No alert resolved by now opened on ']],
  ['what is silenced', ['**No silence is active.**']],
  ['how many gpus', ['**2 GPUs.** On the 2 servers that report them.']],
  ['failed units on db.eu-1', ['1 failed unit on db.eu-1.** db.eu-1 is offline, last report ']],
  ['which checks are down', ['**No check is down.**']],
  ['restart web-1', ['The assistant only reads, and changes nothing.', '**What is the status of web-1?**']],
  ['what is the ip of web-1', ['no answer takes account of “ip”', '**What is the status of web-1?**']],
])('%s', async (question, words) => {
  const answer = await answerTo(question);
  for (const one of words) expect(answer).toContain(one);
});

test.each([
  [
    'updates pending',
    ['**2 servers have pending updates.** Of 2 servers that report updates.', '| web-1 | 17 | 9 | yes | '],
  ],
  ['which servers have no updates pending', ['**No server has no pending updates.** Of 2 servers']],
  ['which servers need a reboot', ['**2 servers wait for a reboot.**']],
  ['updates of web-1', ['**web-1 has 17 pending updates, 9 of them for security; it waits for a reboot.** Counted ']],
  ['updates of db.eu-1', ['It is offline, last report ']],
  // A word that names nothing is a word that was not understood.
  ['pod evictions', ['no answer takes account of “evictions”', 'The nearest question that works']],
  ['node pressure', ['no answer takes account of “pressure”']],
  // Only the stored names say what is a cluster.
  ['pods in the cluster prod', ['**1 pod in cluster prod.**']],
  ['pods in the cluster west', ['no answer takes account of “west”']],
  ['nodes of prod', ['**1 node in cluster prod, ']],
  ['alerts of prod', ['active on prod.**']],
  ['cpu of prod', ['**prod: CPU usage ']],
  ['pods in crashloop', ['**No pod in CrashLoopBackOff.**']],
  ['pods over 100 gb memory', ['**No pod with a memory usage above 100 GB.**']],
  ['which nodes are above 99 % memory', ['**No node with a memory usage above 99 %.**']],
  ['pods of gandalf-1', ['**No pod with “gandalf-1” in the name.**']],
  ['cpu of web-1 and which alerts', ['**web-1: CPU 22 % of 4 cores.**', '**No alert is active on web-1.**']],
])('%s', async (question, words) => {
  const answer = await answerTo(question);
  for (const one of words) expect(answer).toContain(one);
});

test('a question goes on from the one before', async () => {
  const body = {
    question: 'and memory?',
    conversation_history: [
      { role: 'user', content: 'cpu of web-1' },
      { role: 'assistant', content: await answerTo('cpu of web-1') },
    ],
  };
  const { json } = await app.call('POST', '/api/ai/chat', { token: user.token, body });
  expect((json.data as unknown as ChatAnswer).answer).toContain('**web-1: Memory 37.5 % of 16 GB, 10 GB free.**');
});

test.each([
  // A part of a name is another server, unless a sign ends it.
  ['cpu of web', ['There is no server “web”, but 2 servers have these words']],
  ['cpu of db.e', ['There is no server “db.e”. Near: “db.eu-1”']],
  ['cpu of web-100', ['There is no server “web-100”']],
  ['cpu of web1', ['There is no server “web1”. Near: “web-1”']],
  ['cpu of gandalf', ['There is no server “gandalf”', 'Which server has the highest CPU usage?']],
])('%s names no server', async (question, words) => {
  const answer = await answerTo(question);
  for (const one of words) expect(answer).toContain(one);
});
