import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';
import { Pool } from 'pg';
import { addValue, encodeHistogram, type Histogram, LEAST } from '../../api/src/capacity/histogram.ts';
import { clientConfigOf, type Connection } from '../../api/src/database/connection.ts';
import { noise } from './figures.ts';
import { nodesOf, WORKLOADS, type Cluster } from './pods.ts';
import { CLUSTERS, NODE_POOLS } from './fleet.ts';

// SQL because two months of requests and two weeks of containers cannot arrive report by report within seconds.

const MB = 2 ** 20;
const GB = 2 ** 30;
const USAGE_DAYS = 14;
const TREND_DAYS = 60;
/** Values of a day; each stands for this many minutes. */
const STEP_MINUTES = 10;

const INSERT_DAY = `INSERT INTO capacity_day (cluster_key, pool, day, samples, nodes, cpu_allocatable, cpu_requested, cpu_used,
    memory_allocatable, memory_requested, memory_used)
  SELECT key, $10, to_timestamp($2)::date, 288, $3, $4, $5, $6, $7, $8, $9 FROM cluster WHERE uid = $1 ON CONFLICT DO NOTHING`;
const INSERT_USAGE = `INSERT INTO capacity_container_day (cluster_key, namespace, kind, workload, container, day, cpu, memory)
  SELECT key, $2, 'Deployment', $3, $3, to_timestamp($4)::date, $5, $6 FROM cluster WHERE uid = $1 ON CONFLICT DO NOTHING`;

/** Requests of a growing fleet on a day in the past. */
function requestedAt(cluster: Cluster, ago: number): { cores: number; bytes: number } {
  const seed = CLUSTERS.indexOf(cluster) * 100 + ago;
  return { cores: 25 - ago * 0.06 + noise(seed, 3) * 0.4, bytes: (107 - ago * 0.3 + noise(seed, 4)) * GB };
}

function usageOn(
  [, , replicas, cores, memoryMb]: (typeof WORKLOADS)[number],
  day: number,
): { cpu: Buffer; memory: Buffer } {
  const cpu: Histogram = new Map();
  const memory: Histogram = new Map();
  for (let minute = 0; minute < 1440; minute += STEP_MINUTES) {
    const rhythm = 0.85 + 0.35 * Math.sin(((minute - 480) / 1440) * 2 * Math.PI);
    const seed = day * 1440 + minute;
    addValue(cpu, cores * rhythm * (0.9 + noise(seed, 5) * 0.2), LEAST.cpuCores, STEP_MINUTES * replicas);
    addValue(memory, memoryMb * MB * (0.9 + noise(seed, 6) * 0.25), LEAST.memoryBytes, STEP_MINUTES * replicas);
  }
  return { cpu: encodeHistogram(cpu), memory: encodeHistogram(memory) };
}

/** Writes what the Capacity page needs of the past: sizes of two weeks, requests of two months. */
export async function fillCapacity(connection: Connection, now: number): Promise<void> {
  const database = new Pool({ ...clientConfigOf(connection), max: 2 });
  try {
    for (const cluster of CLUSTERS) {
      const hosts = nodesOf(cluster);
      const cores = hosts.reduce((sum, host) => sum + host.cores, 0);
      const bytes = hosts.reduce((sum, host) => sum + host.memoryGb * GB, 0);
      for (let ago = 1; ago < TREND_DAYS; ago += 1) {
        const requested = requestedAt(cluster, ago);
        const values = [
          hosts.length,
          cores,
          requested.cores,
          requested.cores * 0.4,
          bytes,
          requested.bytes,
          requested.bytes * 0.5,
        ];
        await database.query(INSERT_DAY, [cluster.uid, now - ago * DAY_SECONDS, ...values, '']);
        const half = values.map((amount) => amount / NODE_POOLS.length);
        for (const pool of NODE_POOLS)
          await database.query(INSERT_DAY, [cluster.uid, now - ago * DAY_SECONDS, ...half, pool]);
      }
      for (let ago = 1; ago <= USAGE_DAYS; ago += 1)
        for (const workload of WORKLOADS) {
          const { cpu, memory } = usageOn(workload, ago);
          await database.query(INSERT_USAGE, [
            cluster.uid,
            workload[0],
            workload[1],
            now - ago * DAY_SECONDS,
            cpu,
            memory,
          ]);
        }
    }
  } finally {
    await database.end();
  }
}
