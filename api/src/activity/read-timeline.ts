import type { TimelineKind } from '@plimsoll/contract/rules/timeline';
import type { Scope } from '@plimsoll/contract/rules/scope';
import type { Deps } from '../deps.ts';
import { clusterScopeOf } from '../kubernetes/cluster-scope.ts';
import type { EventFilter } from '../kubernetes/types.ts';
import { given } from '@plimsoll/contract/rules/given';
import { pastFilter, scopedFilter } from '../servers/list-filter.ts';
import type { ServerWithLatest } from '../servers/types.ts';
import type { Owner } from '../tenancy/owner.ts';
import {
  countKinds,
  foldBursts,
  matchesSearch,
  ofAlert,
  ofEvent,
  ofKubernetes,
  type Happening,
  type TimelineRow,
} from './timeline.ts';
import type { ActivityFilter } from './types.ts';

/** Entries of each source that one answer reads. */
const MOST_READ = 1000;
const READ = { limit: MOST_READ, offset: 0 };

interface TimelineAsked {
  server: ServerWithLatest | null;
  scope: Scope | undefined;
  start_date?: number | undefined;
  end_date?: number | undefined;
  kinds: readonly TimelineKind[];
  search: string;
}
interface Found {
  all: Happening[];
  /** Time of the oldest one read; null: there are no older ones. */
  cutAt: number | null;
}
interface Timeline {
  rows: TimelineRow[];
  kinds: { kind: TimelineKind; count: number }[];
  completeSince: number | null;
}

const cut = (all: Happening[], isCut: boolean): Found => ({
  all,
  cutAt: isCut ? Math.min(...all.map(({ at }) => at)) : null,
});

type Deeds = Pick<Deps, 'storage' | 'clock' | 'config'>;

async function readEvents({ storage }: Deeds, owner: Owner, filter: ActivityFilter): Promise<Found & { runs: number }> {
  const { events, total, folded } = await storage.activity.list(owner, filter, READ);
  return { ...cut(events.map(ofEvent), total > events.length), runs: folded };
}

/** Alerts that opened in the range. Those that were open before it belong to the Alerts page. */
async function readAlerts({ storage, clock }: Deeds, owner: Owner, filter: ActivityFilter, asked: TimelineAsked) {
  const { serverId, within, from, to } = filter;
  const clusters = await scopeOfClusters({ storage, clock }, owner, asked.scope);
  const place = { ...given('serverId', serverId), ...given('within', within), ...given('clusters', clusters) };
  const range = { ...given('from', from), ...given('to', to) };
  const now = clock.now();
  const { alerts, total } = await storage.alerts.list(owner, { ...place, ...range }, READ, now);
  const opened = alerts.filter(({ openedAt }) => from === undefined || openedAt >= from);
  return cut(
    opened.map((alert) => ofAlert(alert, now)),
    total > alerts.length && opened.length === alerts.length,
  );
}

async function scopeOfClusters({ storage, clock }: Pick<Deeds, 'storage' | 'clock'>, owner: Owner, scope: Scope = []) {
  if (scope.length === 0) return undefined;
  const [nodes, servers] = await Promise.all([
    storage.kubernetes.views.nodeFacts(owner),
    storage.servers.scopeFacts(owner),
  ]);
  return clusterScopeOf(nodes, servers, scope, clock.now());
}

/** Warnings of the clusters; of one server those about its node. Other servers have none. */
async function readKubernetes(
  deeds: Deeds,
  owner: Owner,
  filter: ActivityFilter,
  asked: TimelineAsked,
): Promise<Found> {
  const { storage } = deeds;
  const { server } = asked;
  const nodes = await storage.kubernetes.views.nodeFacts(owner);
  const node = server === null ? undefined : nodes.find(({ serverId }) => serverId === server.server.id);
  if (nodes.length === 0 || (server !== null && node === undefined)) return { all: [], cutAt: null };
  const about: Partial<EventFilter> =
    server === null || node === undefined
      ? { within: await scopeOfClusters(deeds, owner, asked.scope) }
      : { clusterId: node.clusterId, kind: 'Node', name: server.server.hostname };
  const { from = 0, to = Infinity } = filter;
  const { events, total } = await storage.kubernetes.views.events({ owner, type: 'Warning', ...about, from, ...READ });
  const found = cut(events.map(ofKubernetes), total > events.length);
  return { ...found, all: found.all.filter(({ at }) => at < to) };
}

/** Reads alerts, Kubernetes warnings and events of hosts of a range, and folds bursts. Throws `plan_limit`. */
export async function readTimeline(deeds: Deeds, owner: Owner, asked: TimelineAsked): Promise<Timeline> {
  const { server, start_date, end_date, scope, kinds, search } = asked;
  const query = { server_id: server?.server.id, start_date, end_date, scope };
  const filter = await scopedFilter(deeds, owner, query, pastFilter);
  const withoutProcessRuns = !kinds.includes('process');
  const [events, alerts, kubernetes] = await Promise.all([
    readEvents(deeds, owner, { ...filter, withoutProcessRuns }),
    readAlerts(deeds, owner, filter, asked),
    readKubernetes(deeds, owner, filter, asked),
  ]);
  const found = [events, alerts, kubernetes];
  const cuts = found.flatMap(({ cutAt }) => (cutAt === null ? [] : [cutAt]));
  const completeSince = cuts.length === 0 ? null : Math.max(...cuts);
  const matching = found
    .flatMap(({ all }) => all)
    .filter((one) => (completeSince === null || one.at >= completeSince) && matchesSearch(one, search));
  const counted = countKinds(matching).map(({ kind, count }) => ({
    kind,
    // The database counts runs that were not read, without the search.
    count: kind === 'process' && withoutProcessRuns && search === '' ? events.runs : count,
  }));
  return { rows: foldBursts(matching.filter(({ kind }) => kinds.includes(kind))), kinds: counted, completeSince };
}
