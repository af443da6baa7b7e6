import { type ClusterAnswer, clusterEnvelope, clusterItem, type ClusterItem } from '@plimsoll/contract/cluster-report';
import { PROTOCOL_VERSIONS_SPOKEN, REPORT_LIMITS } from '@plimsoll/contract/limits';
import type { z } from 'zod';
import type { Clock } from '../clock.ts';
import { CodedError } from '../errors.ts';
import type { ClusterAgent, ClusterReports } from '../storage/kubernetes-ports.ts';
import type { ChangeFeed } from './changes.ts';
import type { Gate } from './gate.ts';
import { inflateBody } from './inflate.ts';
import { parseJson } from './parse-json.ts';
import { sanitizeTree } from './sanitize.ts';

export interface AcceptClusterDeps {
  reports: ClusterReports;
  clock: Clock;
  gate: Gate;
  changes: ChangeFeed;
  reportIntervalSeconds: number;
}
type Rejected = ClusterAnswer['rejected'][number];

/**
 * Takes one request of a cluster's collector. Items are judged and written one by one, each in a transaction of its own:
 * every one of them may be sent again without effect, so what comes after a failure is simply sent again.
 */
export async function acceptCluster(
  deps: AcceptClusterDeps,
  delivery: { agent: ClusterAgent; body: ReadableStream<Uint8Array> | null; encoding: string | null },
): Promise<ClusterAnswer> {
  const { reports, clock, gate, changes } = deps;
  return gate.pass(async () => {
    const bytes = await inflateBody(delivery.body, delivery.encoding);
    const { reports: items, ...head } = parseEnvelope(parseJson(bytes, REPORT_LIMITS.depth));
    const now = clock.now();
    const opened = await reports.open(delivery.agent, head, now);
    if (opened.state === 'other_cluster')
      throw new CodedError('cluster_mismatch', 'cluster.uid: this token reports for another cluster', {
        field: 'cluster.uid',
        remedy: 'Make a token for this cluster on the Kubernetes tab of Setup.',
      });
    if (opened.state === 'older_term')
      throw new CodedError('collector_superseded', 'collector.term: a collector of a later term leads', {
        field: 'collector.term',
      });
    const accepted: number[] = [];
    const rejected: Rejected[] = [];
    let isListed = !opened.listingWanted;
    for (const [index, raw] of items.entries()) {
      const verdict = judgeItem(raw, index);
      if ('rejected' in verdict) rejected.push(verdict.rejected);
      else {
        await reports.write(opened.clusterKey, verdict.item, now);
        accepted.push(verdict.item.seq);
        isListed ||= verdict.item.listing !== undefined;
      }
    }
    if (accepted.length > 0) changes.publish(delivery.agent.accountId, { topic: 'kubernetes', serverId: null });
    return {
      accepted,
      rejected,
      listing_wanted: !isListed,
      history_wanted: opened.historyWanted,
      server_time: now / 1000,
      next: { interval: deps.reportIntervalSeconds },
    };
  });
}

function parseEnvelope(body: unknown): z.output<typeof clusterEnvelope> {
  const version = typeof body === 'object' && body !== null && 'v' in body ? body.v : undefined;
  if (typeof version === 'number' && !PROTOCOL_VERSIONS_SPOKEN.includes(version))
    throw new CodedError('version_not_spoken', `v: this server speaks ${PROTOCOL_VERSIONS_SPOKEN.join(', ')}`, {
      field: 'v',
      remedy: 'Update the older of the two, server or collector.',
    });
  const parsed = clusterEnvelope.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const field = issue?.path.map(String).join('.') || 'body';
  throw new CodedError('invalid_parameter', `${field}: ${issue?.message ?? 'not valid'}`, { field });
}

function judgeItem(raw: unknown, index: number): { item: ClusterItem } | { rejected: Rejected } {
  const clean = sanitizeTree(raw);
  const { seq: given, kind } = (typeof clean === 'object' && clean !== null ? clean : {}) as Record<string, unknown>;
  const seq = typeof given === 'number' && Number.isSafeInteger(given) && given > 0 ? given : null;
  if (typeof kind === 'string' && kind !== clusterItem.shape.kind.value)
    return { rejected: { seq, index, code: 'kind_unknown', detail: 'kind: not known to this server' } };
  const parsed = clusterItem.safeParse(clean);
  if (parsed.success) return { item: parsed.data };
  const issue = parsed.error.issues[0];
  const detail = `${issue?.path.map(String).join('.') || 'item'}: ${issue?.message ?? 'not valid'}`.slice(0, 200);
  return { rejected: { seq, index, code: 'invalid_item', detail } };
}
