import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { otlpJson, otlpProtobuf, type SentResource } from '../../../../api/src/testing/otlp.ts';
import { envelope, listing, nodeObject, nodePart, podObject } from '../../../../api/src/testing/kubernetes.ts';
import {
  REMOTE_WRITE_ONE,
  REMOTE_WRITE_TWO,
  snappy,
  writeRequestOne,
  writeRequestTwo,
  type SentSeries,
} from '../../../../api/src/testing/remote-write.ts';

export interface Caller {
  /** A token of the kind that the door takes: of a collector, the API or a cluster. */
  token: string;
  serverId: string;
}
interface Sent {
  path: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
}
export interface Door {
  name: string;
  takes: 'agent' | 'metrics' | 'cluster' | 'session';
  /** One request takes seconds to make: each sender makes one before the minute begins and repeats it. */
  isSlowToMake?: true;
  /** Makes one request, near the limits of the door. Each `round` has texts of its own. */
  request(caller: Caller, round: number): Sent;
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const JSON_TYPE = { 'content-type': 'application/json' };
const bytes = (value: object): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(JSON.stringify(value)));
const zipped = (value: object): Uint8Array<ArrayBuffer> => Uint8Array.from(gzipSync(JSON.stringify(value)));
const ZIPPED = { ...JSON_TYPE, 'content-encoding': 'gzip' };
const unique = (): string => randomBytes(6).toString('hex');

/** A report of an agent: `parts` belong to every one of its reports. */
const reports = ({ serverId }: Caller, round: number, count: number, parts: (index: number) => object): Sent => {
  const now = Date.now() / 1000;
  const items = times(count, (index) => ({
    seq: round * count + index + 1,
    ts: now,
    up: 1e6 - index,
    kind: 'host',
    window_seconds: 60,
    ...parts(index),
  }));
  const head = { v: 1, server_id: serverId, stream_id: serverId.replaceAll('-', ''), boot_id: 'hostile', sent_at: now };
  return {
    path: '/api/agent/v1/reports',
    headers: ZIPPED,
    body: zipped({ ...head, up_now: 1e6, dropped: [], reports: items }),
  };
};

const series = (labels: Record<string, string>): SentSeries => ({
  labels: { __name__: 'node_load1', job: 'node', instance: 'hostile:9100', ...labels },
  samples: [{ value: 0.5, at: Date.now() }],
});
const write = (version: 1 | 2, sent: readonly SentSeries[]): Sent => ({
  path: '/api/v1/write',
  headers: version === 1 ? REMOTE_WRITE_ONE : REMOTE_WRITE_TWO,
  body: Uint8Array.from(snappy(version === 1 ? writeRequestOne(sent) : writeRequestTwo(sent))),
});
const resource = (points: number): SentResource => ({
  attributes: { 'host.name': 'hostile', 'host.id': 'x'.repeat(5000) },
  metrics: [
    {
      name: 'system.filesystem.usage',
      temporality: 'current',
      points: times(points, (index) => ({
        attributes: { device: `${unique()}${'d'.repeat(240)}`, mountpoint: `/${String(index)}`, state: 'used' },
        value: index,
        from: 0,
        at: Date.now(),
      })),
    },
  ],
});
const ABSURD = 2 ** 60;

/** Every door through which texts and figures of others come in, each with the costliest bodies known. */
export const DOORS: readonly Door[] = [
  {
    name: 'host reports',
    takes: 'agent',
    request: (caller, round) =>
      reports(caller, round, 100, (index) => ({
        disks: times(400, (disk) => ({ device: `sd${String(disk)}`, read_operations_per_second: ABSURD })),
        processes: times(97, (pid) => ({
          pid,
          name: `worker-${String(pid)}`,
          command: `${unique()}.${String(index)} ${'--a '.repeat(128)}`.slice(0, 512),
          user: 'root',
          status: 'S',
          cpu_percent: 1,
          memory_percent: 1,
          memory_bytes: 1,
          threads: 1,
          started_at: 1,
        })),
      })),
  },
  {
    name: 'node reports',
    takes: 'agent',
    request: (caller, round) =>
      reports(caller, round, 20, () => ({
        kubernetes: nodePart(
          times(200, (index) => podObject(`${unique()}-${String(index)}`)),
          { volumes: times(300, () => ({ namespace: 'x', claim: unique(), capacity_bytes: ABSURD })) } as never,
        ),
      })),
  },
  {
    name: 'cluster reports',
    takes: 'cluster',
    request: (_, round) => ({
      path: '/api/agent/v1/cluster/reports',
      headers: ZIPPED,
      body: zipped({
        ...envelope('hostile-cluster'),
        reports: [
          {
            ...listing({
              nodes: [nodeObject('node-1', { memory_capacity_bytes: ABSURD } as never)],
              pods: times(1000, (index) =>
                podObject(`${unique()}-${String(index)}`, { memory_request_bytes: ABSURD } as never),
              ),
            }),
            seq: round + 1,
          },
        ],
      }),
    }),
  },
  {
    name: 'custom objects',
    takes: 'cluster',
    request: (_, round) => ({
      path: '/api/agent/v1/cluster/objects',
      headers: JSON_TYPE,
      body: bytes({
        v: 1,
        cluster_uid: 'hostile-cluster',
        release_namespace: 'plimsoll',
        collector: { id: 'hostile', term: 1 },
        seq: round + 1,
        covers: ['AlertRule'],
        objects: times(250, (index) => ({
          kind: 'AlertRule',
          namespace: 'shop',
          name: `rule-${String(index)}`,
          uid: `${unique()}-${String(index)}`,
          generation: 1,
          created_at: 1,
          spec: { metric: unique(), lines: times(30, () => ({ level: 'x'.repeat(20), threshold: ABSURD })) },
          secrets: null,
        })),
      }),
    }),
  },
  {
    name: 'remote write 2, one long symbol',
    takes: 'metrics',
    request: () => {
      const long = `${unique()}${'s'.repeat(190_000)}`;
      return write(
        2,
        times(600, (index) => series({ device: long, nodename: long, n: String(index) })),
      );
    },
  },
  {
    name: 'remote write 2, 60,000 figures',
    takes: 'metrics',
    isSlowToMake: true,
    request: () =>
      write(
        2,
        times(60_000, (index) =>
          series({ __name__: 'node_filesystem_size_bytes', mountpoint: `/${String(index)}${'m'.repeat(20)}` }),
        ),
      ),
  },
  {
    name: 'remote write 1, long labels',
    takes: 'metrics',
    request: () =>
      write(
        1,
        times(8000, (index) => series({ device: `${String(index)}${'d'.repeat(240)}` })),
      ),
  },
  {
    name: 'OTLP in protobuf',
    takes: 'metrics',
    request: () => ({
      path: '/v1/metrics',
      headers: { 'content-type': 'application/x-protobuf' },
      body: Uint8Array.from(otlpProtobuf([resource(8000)])),
    }),
  },
  {
    name: 'OTLP in JSON',
    takes: 'metrics',
    request: () => ({ path: '/v1/metrics', headers: ZIPPED, body: zipped(otlpJson([resource(8000)])) }),
  },
  {
    name: 'rule import',
    takes: 'session',
    request: () => ({
      path: '/api/alerts/rules/import',
      headers: JSON_TYPE,
      body: bytes({
        dry_run: true,
        yaml: `rules:\n${times(5000, (index) => `- name: r${String(index)}\n  metric: ${unique()}`).join('\n')}`,
      }),
    }),
  },
  {
    name: 'MCP',
    takes: 'session',
    request: (_, round) => ({
      path: '/mcp',
      headers: { ...JSON_TYPE, accept: 'application/json, text/event-stream' },
      body: bytes({
        jsonrpc: '2.0',
        id: round,
        method: 'tools/call',
        params: { name: unique(), arguments: { text: times(400, () => unique().repeat(10)) } },
      }),
    }),
  },
];
