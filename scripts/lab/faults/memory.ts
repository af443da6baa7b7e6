import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection, readyRequest } from '../bench/ingest/connection.ts';
import { bodyOf, gzipped } from '../bench/ingest/report-body.ts';
import { startProduct } from '../../e2e/product.ts';
import { enrolAgents, startApi, type AgentCredentials } from './api-process.ts';
import type { Fault } from './fault.ts';
import { processTree, proportionalBytes, residentBytes } from './process-memory.ts';

const SERVERS = 500;
const HOURS = 24;
const MINUTES = HOURS * 60;
const REPORTS_PER_SECOND = 400;
/** Requests in flight. The API lets in 64. */
const CONNECTIONS = 32;
const SAMPLE_EVERY_MS = 5000;
/** Share of the run that may still grow: caches fill, code is compiled, the database touches its shared buffers. */
const WARM_UP = 0.25;
/** Growth that counts as a leak, per cent. */
const MOST_GROWTH_PERCENT = 5;

interface MemorySample {
  api: number;
  database: number;
  collector: number;
}

/**
 * Memory over 24 simulated hours of 500 servers. Each server sends its 1,440 reports with the times of the last day,
 * as a spool does after an outage; a collector of this machine reports each second beside it.
 */
export const memory: Fault = {
  name: 'memory',
  does: '24 simulated hours of 500 servers: 720,000 reports of 24 KB; a collector collects 1,440 times beside it',
  minutes: 45,
  run: async ({ isQuick, log }) => {
    const minutes = isQuick ? 20 : MINUTES;
    const api = await startApi();
    const product = await startProduct({ env: { PLIMSOLL_REPORT_INTERVAL_SECONDS: '1' } });
    try {
      const collector = collectorOf(product.process.pid ?? 0);
      const agents = await enrolAgents(api.url, SERVERS);
      log(`${String(SERVERS)} servers are enrolled`);
      const samples: MemorySample[] = [];
      const begun = performance.now();
      let sent = 0;
      const sample = (): void => {
        samples.push({
          api: residentBytes(api.pid()),
          database: proportionalBytes(processTree(api.postmaster())),
          collector: residentBytes(collector),
        });
      };
      const timer = setInterval(sample, SAMPLE_EVERY_MS);
      const progress = setInterval(() => {
        const seconds = (performance.now() - begun) / 1000;
        log(`${String(sent)} reports, ${(sent / seconds).toFixed(0)} a second; ${describe(samples.at(-1))}`);
      }, 60_000);
      await sendDay({ port: api.port, agents, minutes, onSent: () => (sent += 1) });
      clearInterval(timer);
      clearInterval(progress);
      sample();
      const perSecond = sent / ((performance.now() - begun) / 1000);
      const growth = growthOf(samples);
      return {
        isHeld: Object.values(growth).every(({ percent }) => percent <= MOST_GROWTH_PERCENT),
        figures: [
          `${String(sent)} reports, ${perSecond.toFixed(0)} a second`,
          ...Object.entries(growth).map(
            ([name, { from, to, percent }]) =>
              `${name} ${mebibytes(from)} → ${mebibytes(to)} MiB (${percent.toFixed(1)} %)`,
          ),
        ].join('; '),
      };
    } finally {
      await product.stop();
      await api.remove();
    }
  },
};

/** Returns the process id of the collector that `npm start` runs. */
function collectorOf(root: number): number {
  const found = processTree(root).find((pid) =>
    /collector\/src\/main\.ts|collector-[^/]+\/plimsoll/.test(readFileSync(`/proc/${String(pid)}/cmdline`, 'utf8')),
  );
  if (found === undefined) throw new Error('npm start runs no collector');
  return found;
}

/** Sends the reports of a day minute by minute, each server's in order, at a steady rate. */
async function sendDay(day: {
  port: number;
  agents: readonly AgentCredentials[];
  minutes: number;
  onSent: () => void;
}): Promise<void> {
  const { port, agents, minutes, onSent } = day;
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(port)));
  const firstAt = Date.now() - minutes * 60_000;
  const begun = performance.now();
  let next = 0;
  const lane = async (connection: Connection): Promise<void> => {
    for (let index = next++; index < minutes * agents.length; index = next++) {
      const early = begun + (index / REPORTS_PER_SECOND) * 1000 - performance.now();
      if (early > 0) await delay(early);
      const agent = agents[index % agents.length];
      const minute = Math.floor(index / agents.length);
      if (agent === undefined) continue;
      const ageSeconds = (Date.now() - firstAt) / 1000 - minute * 60;
      const body = bodyOf(agent.serverId, minute + 1, index, ageSeconds);
      await connection.send(readyRequest(port, agent.token, minute + 1, gzipped(body)));
      onSent();
    }
  };
  await Promise.all(connections.map(lane));
  for (const connection of connections) connection.close();
}

interface Growth {
  from: number;
  to: number;
  percent: number;
}

/** Compares the medians of the first eighth after the warm-up and of the last eighth: single peaks do not decide. */
export function growthOf(samples: readonly MemorySample[]): Record<keyof MemorySample, Growth> {
  const part = Math.max(1, Math.floor(samples.length / 8));
  const start = Math.floor(samples.length * WARM_UP);
  const of = (name: keyof MemorySample): Growth => {
    const from = median(samples.slice(start, start + part).map((one) => one[name]));
    const to = median(samples.slice(-part).map((one) => one[name]));
    return { from, to, percent: ((to - from) / from) * 100 };
  };
  return { api: of('api'), database: of('database'), collector: of('collector') };
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
const describe = (one: MemorySample | undefined): string =>
  one === undefined
    ? 'nothing measured'
    : `API ${mebibytes(one.api)}, database ${mebibytes(one.database)}, collector ${mebibytes(one.collector)} MiB`;
