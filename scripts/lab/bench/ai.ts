import { chmodSync, mkdtempSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createApp } from '../../../api/src/app.ts';
import { openSession } from '../../../api/src/accounts/session.ts';
import { createPostgresStorage } from '../../../api/src/postgres-storage.ts';
import { modelStandIn } from '../../../api/src/testing/model-stand-in.ts';
import { clusterOf, DURABLE, stopClusters } from '../../../api/src/testing/postgres-clusters.ts';
import { databaseOn, depsOn } from './api.ts';
import { seed } from './api/seed.ts';
import { quantile } from './ingest/load.ts';
import { founderOf } from '../../../api/src/tenancy/ids.ts';

const RUNS = 30;
const WARM_UP_RUNS = 4;
const REACH_MS = { tool: 150, token: 50 };
const POD = { namespace: 'ns-1', pod: 'web-1-1' };

type App = ReturnType<typeof createApp>;
interface Asker {
  app: App;
  headers: Record<string, string>;
}

/** Every tool with the inputs that read most; of the two forms of a tool both. */
const callsOn = (
  host: string,
  alertId: string,
  incidentId: string,
  now: number,
): [string, Record<string, unknown>][] => [
  ['list_servers', {}],
  ['rank_servers', { by: 'cpu' }],
  ['server_details', { server: host }],
  ['figures_over_time', { figure: 'cpu', minutes: 60 }],
  ['figures_over_time', { figure: 'cpu', minutes: 1440 }],
  ['figures_over_time', { figure: 'memory', server: host, minutes: 1440 }],
  [
    'compare_servers',
    { figure: 'cpu', servers: Array.from({ length: 8 }, (_, n) => `host-${String(n + 1)}`), minutes: 1440 },
  ],
  ['network_over_time', { minutes: 1440 }],
  ['network_over_time', { server: host, minutes: 1440 }],
  ['disk_forecast', {}],
  ['disk_forecast', { server: host }],
  ['list_alerts', {}],
  ['list_alerts', { minutes: 1440 }],
  ['activity', { minutes: 1440 }],
  ['alert_details', { alert_id: alertId }],
  ['list_incidents', {}],
  ...(incidentId === ''
    ? []
    : [['incident_details', { incident_id: incidentId }] as [string, Record<string, unknown>]]),
  ['alert_rules', {}],
  ['rehearse_rule', { metric: 'cpu_usage', threshold: 80, server: host, days: 1 }],
  ['top_processes', { by: 'cpu' }],
  ['top_processes', { by: 'memory', server: host, at: now - 7200 }],
  ['connections', { server: host }],
  ['cluster_summary', {}],
  ['list_nodes', {}],
  ['list_pods', {}],
  ['pod_details', POD],
  ['list_workloads', {}],
  ['kubernetes_events', { type: 'Warning' }],
];

async function timed(runs: number, work: () => Promise<void>): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  for (let run = 0; run < WARM_UP_RUNS + runs; run += 1) {
    const begun = performance.now();
    await work();
    if (run >= WARM_UP_RUNS) times.push(performance.now() - begun);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

const print = (name: string, { p50, p95 }: { p50: number; p95: number }, reach: number): void =>
  console.log(
    `${p50.toFixed(1).padStart(8)}${p95.toFixed(1).padStart(8)}  ${name}${p95 > reach ? `  over ${String(reach)} ms` : ''}`,
  );

async function callTool({ app, headers }: Asker, name: string, input: unknown): Promise<void> {
  const answer = await app.request('/mcp', {
    method: 'POST',
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  });
  const body = (await answer.json()) as { result?: { isError?: boolean; content?: { text: string }[] } };
  if (body.result === undefined || body.result.isError === true)
    throw new Error(`${name} ${JSON.stringify(input)}: ${JSON.stringify(body)}`);
}

/** Milliseconds until `text` stands in what arrives. */
async function untilFirst(response: Response, text: string, begun: number): Promise<number> {
  let seen = '';
  let at: number | null = null;
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    seen += decoder.decode(chunk as Uint8Array, { stream: true });
    if (at === null && seen.includes(text)) at = performance.now() - begun;
  }
  if (at === null) throw new Error(`"${text}" did not arrive: ${seen.slice(0, 500)}`);
  return at;
}

/** First token through Plimsoll, less that of the model asked directly: the time that we add. */
async function firstToken({ app, headers }: Asker, modelUrl: string): Promise<void> {
  const added: number[] = [];
  for (let run = 0; run < WARM_UP_RUNS + RUNS; run += 1) {
    const directly = performance.now();
    const direct = await untilFirst(
      await fetch(`${modelUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: 'Hello' }] }),
      }),
      'All is',
      directly,
    );
    const begun = performance.now();
    const through = await untilFirst(
      await app.request('/api/ai/chat', {
        method: 'POST',
        headers: { ...headers, accept: 'text/event-stream' },
        body: JSON.stringify({ question: 'How are my servers?' }),
      }),
      'All is',
      begun,
    );
    if (run >= WARM_UP_RUNS) added.push(through - direct);
  }
  const sorted = added.toSorted((a, b) => a - b);
  print(
    'added to the first token of an answer',
    { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) },
    REACH_MS.token,
  );
}

export const help = `The tools of the assistant through /mcp, and what Plimsoll adds to the first token of a model.
  --servers 500     how many servers; each is a node with 10 pods`;

export async function main(argv: string[]): Promise<void> {
  const servers = Number(argv[argv.indexOf('--servers') + 1 || argv.length] ?? 500);
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-bench-'));
  chmodSync(folder, 0o755);
  const model = await modelStandIn();
  model.reply(() => ({ kind: 'text', text: 'All is well.' }));
  try {
    const connection = await databaseOn(await clusterOf('bundled', folder, DURABLE), 'ai');
    const clock = { ms: 0, now: () => clock.ms };
    const storage = createPostgresStorage({ connection, clock });
    const pool = new Pool({ ...connection, max: 1 });
    const { organisationId, now } = await seed(storage, pool, servers);
    clock.ms = now + 1000;
    const [alert] = (await pool.query<{ id: string }>('SELECT id FROM alert LIMIT 1')).rows;
    const [incident] = (await pool.query<{ id: string }>('SELECT id FROM incident LIMIT 1')).rows;
    const without = createApp(depsOn(storage, clock));
    const withModel = createApp(
      depsOn(storage, clock, { AI_BASE_URL: model.url, AI_MODEL: 'stand-in', AI_API_KEY: 'k' }),
    );
    const { token } = await openSession({ sessions: storage.sessions, clock }, founderOf(organisationId));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    console.log(`${String(servers)} servers, ${String(servers * 10)} pods, load ${String(loadavg()[0]?.toFixed(1))}`);
    console.log(`${'p50 ms'.padStart(8)}${'p95 ms'.padStart(8)}  what`);
    await firstToken({ app: withModel, headers }, model.url);
    for (const [name, input] of callsOn('host-1', alert?.id ?? '', incident?.id ?? '', now / 1000))
      print(
        `${name} ${JSON.stringify(input).slice(0, 90)}`,
        await timed(RUNS, () => callTool({ app: without, headers }, name, input)),
        REACH_MS.tool,
      );
    await pool.end();
    await storage.close();
  } finally {
    model.close();
    await stopClusters(folder);
  }
}
