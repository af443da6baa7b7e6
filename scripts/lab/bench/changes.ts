import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'pg';
import { CHANGE_DAYS } from '../../../api/contract/rules/changes.ts';
import { enrolAgents, signIn, startApi, type ApiProcess } from '../faults/api-process.ts';
import { linesOf, printLines, type Run, timed } from './dashboard/timed-calls.ts';
import { connectionOf } from './web/fleet.ts';

const ENTRIES = 1_000_000;
const SERVERS = 200;
const CLUSTERS = 50;
const ROUNDS = 40;
const REACH_MS = 100;
/** The rate limit of a person allows so many requests. */
const PAUSE_MS = 120;
const BASELINE = '/healthz';

/** $1 clusters. */
const CLUSTER_ROWS = `INSERT INTO cluster (organisation_id, uid, name, first_seen_at, last_seen_at)
  SELECT account.id, 'uid-' || n, 'cluster ' || n, now() - interval '1 year', now() FROM account, generate_series(1, $1::int) n`;
/**
 * $1 entries. Six of ten are of clusters, three of hosts; one of a hundred is a rule or a silence, one of a thousand a deploy
 * mark. Ids rise with time, as reports write them.
 */
const ENTRY_ROWS = `INSERT INTO change (at, seen_at, source, action, organisation_id, cluster_key, server_key, kind, namespace, name, title,
    fields, changed_by)
  SELECT made, made, source, 'changed', account.id, CASE WHEN source = 'cluster' THEN c.key END,
    CASE WHEN source = 'host' THEN s.key END,
    CASE source WHEN 'cluster' THEN (ARRAY['Deployment', 'ConfigMap', 'Service', 'HorizontalPodAutoscaler', 'Node'])[n % 5 + 1]
      WHEN 'host' THEN (ARRAY['packages', 'units', 'mounts'])[n % 3 + 1] WHEN 'deploy' THEN 'deploy' ELSE 'rule' END,
    CASE WHEN source = 'cluster' THEN 'team-' || n % 40 END, 'thing-' || n % 997, 'thing-' || n % 997 || ' was changed',
    '[{"field": "image", "was": "changed", "before": "shop:1", "after": "shop:2", "hidden": false}]', 'ada@example.com'
  FROM account, (SELECT n, now() - ($1::int - n) * interval '1 day' * ${String(CHANGE_DAYS - 1)} / $1::int AS made,
      CASE WHEN n % 1000 = 7 THEN 'deploy' WHEN n % 100 = 3 THEN 'plimsoll' WHEN n % 10 < 7 THEN 'cluster' ELSE 'host' END AS source,
      n % $2::int AS of_cluster, n % $3::int AS of_server FROM generate_series(1, $1::int) n) each
    JOIN (SELECT key, row_number() OVER (ORDER BY key) - 1 AS index FROM cluster) c ON c.index = of_cluster
    JOIN (SELECT key, row_number() OVER (ORDER BY key) - 1 AS index FROM server) s ON s.index = of_server
  ORDER BY n`;

/** Requests of the page Changes, its filters and the drawers. */
const callsOf = (serverId: string): string[] => {
  const [now, day] = [Math.floor(Date.now() / 1000), 86_400];
  const page = '/api/changes?limit=50';
  return [
    `${page}&start_date=${String(now - day)}`,
    `${page}&start_date=${String(now - 89 * day)}`,
    `${page}&start_date=${String(now - 89 * day)}&offset=9950`,
    `${page}&source=deploy`,
    `${page}&source=plimsoll`,
    `${page}&kind=Node`,
    `${page}&kind=NetworkPolicy`,
    `${page}&source=host&kind=Deployment`,
    `${page}&namespace=team-7`,
    `${page}&name=thing-500`,
    `${page}&name=absent`,
    `${page}&namespace=absent`,
    `${page}&q=thing-500`,
    `${page}&q=absent`,
    `${page}&server_id=${serverId}`,
    `${page}&server_id=${serverId}&kind=mounts`,
    `${page}&server_id=${serverId}&kind=absent`,
    `${page}&cluster_id=uid-7`,
    `${page}&cluster_id=uid-7&namespace=team-7&name=thing-500&kind=Deployment`,
    `${page}&cluster_id=uid-7&kind=NetworkPolicy`,
    `${page}&scope=tag:half`,
    `${page}&scope=tag:few`,
    `${page}&scope=tag:few&source=deploy`,
    `/api/changes/before?server_id=${serverId}&until=${String(now - 3600)}&minutes=30`,
    `/api/changes/before?cluster_id=uid-7&until=${String(now - 3600)}&minutes=1440`,
    BASELINE,
  ];
};

export const help = `1,000,000 entries of 90 days in the ledger of changes, of 50 clusters and 200 servers; every form of its page, one after
the other. The baseline is /healthz in the same run. Reach: p95 100 ms.
  --rounds N   how often each is asked (default ${String(ROUNDS)})
  --entries N  (default ${String(ENTRIES)})`;

async function seed(api: ApiProcess, entries: number): Promise<string> {
  const [first] = await enrolAgents(api.url, SERVERS);
  const pool = new Pool({ ...connectionOf(api.dataDir), max: 1 });
  try {
    await pool.query(`UPDATE server SET tags = CASE WHEN key % 100 = 1 THEN '{"few": "", "half": ""}'::jsonb
      WHEN key % 2 = 1 THEN '{"half": ""}'::jsonb ELSE '{}'::jsonb END`);
    await pool.query(CLUSTER_ROWS, [CLUSTERS]);
    await pool.query(ENTRY_ROWS, [entries, CLUSTERS, SERVERS]);
    await pool.query('VACUUM (ANALYZE) change');
  } finally {
    await pool.end();
  }
  return first?.serverId ?? '';
}

export async function main(argv: readonly string[]): Promise<void> {
  const option = (name: string, otherwise: number): number =>
    Number(argv[argv.indexOf(name) + 1 || argv.length] ?? otherwise);
  console.log(`load before: ${loadavg()[0]?.toFixed(1) ?? '?'}`);
  const api = await startApi();
  try {
    const serverId = await seed(api, option('--entries', ENTRIES));
    console.error('the ledger is filled');
    const headers = { authorization: `Bearer ${await signIn(api.url)}`, 'accept-encoding': 'gzip' };
    const rounds = option('--rounds', ROUNDS);
    const run: Run = { until: Infinity, times: new Map(), measures: () => true, refused: 0 };
    for (let round = 0; round < rounds; round += 1)
      for (const path of callsOf(serverId)) {
        await delay(PAUSE_MS);
        const what = path.replace(serverId, 'ID').replaceAll(/\d{10}/g, 'TIME');
        await timed(run, what, () => fetch(api.url + path, { headers }));
      }
    printLines(linesOf(run.times), { baseline: BASELINE, reachMs: REACH_MS });
    console.log(`load after: ${loadavg()[0]?.toFixed(1) ?? '?'}`);
  } finally {
    await api.remove();
  }
}
