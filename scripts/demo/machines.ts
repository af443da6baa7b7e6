import { createHash, randomBytes } from 'node:crypto';
import { PROTOCOL_VERSION } from '@plimsoll/contract/rules/limits';
import type { EventPart, Report } from '@plimsoll/contract/wire/report';
import type { ClusterItem } from '@plimsoll/contract/wire/cluster-report';
import { sectionsAt } from './changes.ts';
import { checkResultsOf, type DemoCheck } from './checks.ts';
import { listingAt, nodePartAt } from './clusters.ts';
import { FLEET, type CLUSTERS, type DemoHost } from './fleet.ts';
import { reportAt } from './host-report.ts';
import { OFFLINE_HOST, type Stories } from './stories.ts';

/** Sends a request to the API; throws with the answer if it is refused. */
export type Post = (path: string, token: string | null, body: unknown) => Promise<Record<string, unknown>>;

/** A host or node that has enrolled. */
export interface Machine {
  host: DemoHost;
  serverId: string;
  token: string;
  streamId: string;
  seq: number;
  /** Its checks for the demo. */
  checks: DemoCheck[];
}
export interface DemoCluster {
  cluster: (typeof CLUSTERS)[number];
  token: string;
  seq: number;
  /** Time of its last report, epoch seconds. */
  reportedAt: number;
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex');

/** Enrols the hosts with an enrolment token, by the calls that install.sh and the collector make. */
export async function enrolHosts(post: Post, enrolmentToken: string): Promise<Machine[]> {
  return Promise.all(
    FLEET.filter(({ cluster }) => cluster === null).map(async (host) => {
      const answer = await post('/api/agent/v1/enrol', null, {
        enrolment_token: enrolmentToken,
        machine_hash: createHash('sha256')
          .update(`${host.name}/${hex(8)}`)
          .digest('hex'),
        hostname: host.name,
        tags: host.tags,
      });
      return machineOf(host, answer);
    }),
  );
}

/** Enrols the nodes of a cluster. The cluster must have reported them. */
export async function enrolNodes(post: Post, { cluster, token }: DemoCluster): Promise<Machine[]> {
  return Promise.all(
    FLEET.filter((host) => host.cluster === cluster.name).map(async (host) => {
      const body = { node_name: host.name, boot_id: `boot-${host.name}`, hostname: host.name };
      return machineOf(host, await post('/api/agent/v1/nodes/enrol', token, body));
    }),
  );
}

const machineOf = (host: DemoHost, answer: Record<string, unknown>): Machine => ({
  host,
  serverId: String(answer['server_id']),
  token: String(answer['agent_token']),
  streamId: hex(16),
  seq: 0,
  checks: [],
});

/** Sends the report of one machine at a moment (epoch seconds). A machine that is down sends nothing. */
export async function sendReport(
  post: Post,
  machine: Machine,
  at: number,
  stories: Stories,
  events: EventPart[] = [],
): Promise<void> {
  const report = reportAt(machine.host, at, stories);
  if (report === null) return;
  machine.seq += 1;
  const kubernetes = nodePartAt(machine.host, at, stories);
  const described = sectionsAt(machine.host, at, stories);
  const item: Report = {
    seq: machine.seq,
    ...report,
    ...(kubernetes && { kubernetes }),
    ...(events.length > 0 && { events }),
    ...(described.length > 0 && { described }),
    ...(machine.checks.length > 0 && { check_results: checkResultsOf(machine, at) }),
  };
  await post('/api/agent/v1/reports', machine.token, {
    v: PROTOCOL_VERSION,
    server_id: machine.serverId,
    stream_id: machine.streamId,
    boot_id: 'demo-boot',
    sent_at: at,
    up_now: report.up,
    dropped: [],
    reports: [item],
  });
}

/** Sends one item of a cluster's collector. */
export async function sendItem(post: Post, of: DemoCluster, at: number, item: Omit<ClusterItem, 'seq'>): Promise<void> {
  of.seq += 1;
  const { cluster, token } = of;
  await post('/api/agent/v1/cluster/reports', token, {
    v: PROTOCOL_VERSION,
    cluster: { uid: cluster.uid, name: cluster.name, version: 'v1.34.4' },
    collector: { id: `demo-${cluster.name}`, version: '0.1.0', term: 1, reports_jobs: true, reports_placements: true },
    sent_at: at,
    reports: [{ seq: of.seq, ...item }],
  });
}

/** Sends a complete listing of a cluster. */
export async function sendListing(post: Post, of: DemoCluster, at: number, stories: Stories): Promise<void> {
  const from = of.reportedAt;
  await sendItem(post, of, at, listingAt(of.cluster, at, from, stories));
  of.reportedAt = at;
}

export const isDown = ({ host }: Machine): boolean => host.name === OFFLINE_HOST;
