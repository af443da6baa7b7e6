import { expect, it } from 'vitest';
import type { ToolContext } from '../../ai/types.ts';
import type { CheckSeen } from '../evidence.ts';
import { standIn } from './alert-seen.ts';
import { linkedServers, placesOf } from './places.ts';

const AT = Date.UTC(2026, 10, 23, 3, 12) / 1000;
const CHECK: CheckSeen = {
  id: 'check-1',
  name: 'web',
  target: 'http://198.51.100.7:8080/',
  status: 'down',
  since: AT,
  reason: null,
  serverId: null,
};
const server = (id: string, secondsAgo: number) => ({
  id,
  hostname: id,
  last_seen_at: new Date((AT - secondsAgo) * 1000).toISOString(),
});
/** Answers of the three calls. */
function contextOf(servers: unknown[], changes: unknown[] = [], events: unknown[] = []): ToolContext {
  const answers: Readonly<Record<string, unknown>> = {
    '/api/servers/list': { servers },
    '/api/changes': { changes },
    '/api/data/activity': { events },
  };
  const read = async (path: string) => {
    if (path in answers) return answers[path];
    throw new Error(`No call is declared at ${path}`);
  };
  return { read: read as unknown as ToolContext['read'], now: AT + 60, serverId: null, rangeMinutes: 60 };
}
const linked = async (context: ToolContext, check = CHECK, metric = 'check_failed'): Promise<string[]> => {
  const place = { checks: [check], places: [], range: { first: AT, last: AT } };
  const alert = standIn(metric, 'Check failed', AT, {});
  return (await linkedServers(context, [alert], place)).map(({ serverId }) => serverId ?? '');
};
const FIVE = ['a', 'b', 'c', 'd', 'e'].map((id) => server(id, 30));

it('takes the servers on which something changed or stopped, where there are many', async () => {
  const stopped = { server_id: 'd', event_type: 'service_stop' };
  const started = { server_id: 'e', event_type: 'service_start' };
  expect(await linked(contextOf(FIVE, [{ server_id: 'b' }], [stopped, started]))).toEqual(['b', 'd']);
  expect(await linked(contextOf(FIVE))).toEqual([]);
});

it('takes the server that the check names', async () => {
  expect(await linked(contextOf(FIVE, [{ server_id: 'b' }]), { ...CHECK, name: 'web on c' })).toEqual(['c']);
  expect(await linked(contextOf(FIVE), { ...CHECK, target: 'http://d.example.net/' })).toEqual(['d']);
});

it('takes all of a few, without those that are silent for long', async () => {
  expect(await linked(contextOf([server('a', 30), server('old', 7200), server('b', 30)]))).toEqual(['a', 'b']);
});

it('takes none of many on which something changed, and none for a heartbeat or a certificate that names none', async () => {
  const changes = ['a', 'b', 'c', 'd'].map((id) => ({ server_id: id }));
  expect(await linked(contextOf(FIVE, changes))).toEqual([]);
  // Also where the list of a large fleet has only one of them.
  expect(await linked(contextOf([...FIVE.slice(2), server('x', 30)], changes))).toEqual([]);
  for (const metric of ['heartbeat_missed', 'certificate_expiry']) {
    expect(await linked(contextOf([server('a', 30)]), CHECK, metric)).toEqual([]);
    expect(await linked(contextOf(FIVE), { ...CHECK, name: 'backup of c' }, metric)).toEqual(['c']);
  }
});

it('takes the clusters that changed before the check failed, also when a person asks a day later', async () => {
  const day = 86_400;
  const read = async (path: string, _: unknown, { query }: { query: Record<string, number> }) => {
    const isAsked = (query['start_date'] ?? 0) <= AT && (query['end_date'] ?? Infinity) >= AT;
    if (path === '/api/changes') return { changes: isAsked ? [{ cluster_id: 'shop' }] : [] };
    return path === '/api/kubernetes/clusters' ? { clusters: [{ cluster_id: 'shop' }] } : { objects: [] };
  };
  const context = { ...contextOf([]), read: read as unknown as ToolContext['read'], now: AT + day };
  const about = { checks: [CHECK], nodes: [], range: { first: AT, last: AT } };
  const places = await placesOf(context, [standIn('check_failed', 'Check failed', AT, {})], about);
  expect(places).toEqual([{ clusterId: 'shop', namespaces: [], nodes: [] }]);
});
