import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../bench/ingest/load.ts';
import { enrolAgents, send, signIn, startApi } from './api-process.ts';
import type { Fault } from './fault.ts';
import { residentBytes } from './process-memory.ts';

const SERVERS = 200;
const TAGS_A_SERVER = 50;
const READS = 50;
const LIMIT_MS = 300;
/** Lines of routes and statuses that were not there before; a line for each tag would be thousands. */
const MOST_METRIC_LINES = 200;

/** Gives servers thousands of tags that differ from each other. */
export const labels: Fault = {
  name: 'labels',
  does: '10,000 tags that all differ, 50 on each of 200 servers',
  minutes: 2,
  run: async ({ isQuick, log }) => {
    const api = await startApi();
    try {
      const agents = await enrolAgents(api.url, isQuick ? 20 : SERVERS);
      const token = await signIn(api.url);
      const before = await metricLines(api.url);
      const memoryBefore = residentBytes(api.pid());
      for (const [server, { serverId }] of agents.entries()) {
        const entries = Array.from({ length: TAGS_A_SERVER }, (_, tag) => {
          const number = String(server * TAGS_A_SERVER + tag);
          return [`key-${number}`, `value-${number}`];
        });
        await send('PUT', `${api.url}/api/servers/${serverId}`, { tags: Object.fromEntries(entries) }, token);
      }
      const tooMany = Object.fromEntries(
        Array.from({ length: TAGS_A_SERVER + 1 }, (_, tag) => [`k${String(tag)}`, 'v']),
      );
      const refusal = await fetch(`${api.url}/api/servers/${agents[0]?.serverId ?? ''}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ tags: tooMany }),
      });
      log(`${String(agents.length * TAGS_A_SERVER)} tags are set`);
      const list = await timesOf(`${api.url}/api/servers/list?limit=100`, token);
      const scoped = await timesOf(`${api.url}/api/servers/list?limit=100&scope=tag:key-77=value-77`, token);
      const grown = (await metricLines(api.url)) - before;
      const memory = (residentBytes(api.pid()) - memoryBefore) / 2 ** 20;
      return {
        isHeld: refusal.status === 400 && Math.max(list, scoped) <= LIMIT_MS && grown < MOST_METRIC_LINES,
        figures: `list p95 ${list.toFixed(0)} ms, within one tag ${scoped.toFixed(0)} ms; the API grew by ${memory.toFixed(0)} MiB and /metrics by ${String(grown)} lines; 51 tags are refused with ${String(refusal.status)}`,
      };
    } finally {
      await api.remove();
    }
  },
};

async function metricLines(url: string): Promise<number> {
  return (await (await fetch(`${url}/metrics`)).text()).split('\n').length;
}

/** Returns the 95th percentile of the answer time, in ms; the limit of reads a second is awaited and not counted. */
async function timesOf(url: string, token: string): Promise<number> {
  const latencies: number[] = [];
  while (latencies.length < READS) {
    const begun = performance.now();
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    await answer.arrayBuffer();
    if (answer.ok) latencies.push(performance.now() - begun);
    else if (answer.status === 429) await delay(Number(answer.headers.get('retry-after') ?? 1) * 1000);
    else throw new Error(`${url} answered ${String(answer.status)}`);
  }
  return quantile(
    latencies.toSorted((a, b) => a - b),
    0.95,
  );
}
