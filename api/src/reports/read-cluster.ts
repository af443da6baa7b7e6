import {
  clusterEnvelope,
  clusterItem,
  type ClusterAnswer,
  type ClusterEnvelope,
  type ClusterItem,
} from '@plimsoll/contract/wire/cluster-report';
import { PROTOCOL_VERSIONS_SPOKEN, REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { CodedError } from '../errors.ts';
import { parseJson } from '../http/parse-json.ts';
import { protectClusterHead, protectClusterItem } from './protect-privacy.ts';
import type { Redactor } from './redactor.ts';
import { sanitizeHead, sanitizeTree } from './sanitize.ts';

type Rejected = ClusterAnswer['rejected'][number];

/** A request of a cluster's collector without its items. */
interface ClusterHead extends Omit<ClusterEnvelope, 'reports'> {
  rejected: Rejected[];
  /** Texts that the budget for redaction did not cover. */
  withheld: number;
}
export interface ReadCluster {
  head: ClusterHead;
  items: ClusterItem[];
}

/** Parses a request of a cluster's collector, judges and redacts each item. Throws coded errors for the whole. */
export function readCluster(bytes: Uint8Array, redactor: Redactor): ReadCluster {
  const { reports, ...envelope } = parseEnvelope(parseJson(bytes, REPORT_LIMITS.depth));
  const head = protectClusterHead(envelope, redactor);
  const items: ClusterItem[] = [];
  const rejected: Rejected[] = [];
  for (const [index, raw] of reports.entries()) {
    const verdict = judgeItem(raw, index);
    if ('rejected' in verdict) rejected.push(verdict.rejected);
    else items.push(protectClusterItem(verdict.item, redactor));
  }
  return { head: { ...head, rejected, withheld: redactor.withheld }, items };
}

function parseEnvelope(body: unknown): Omit<ClusterEnvelope, 'reports'> & { reports: unknown[] } {
  const version = typeof body === 'object' && body !== null && 'v' in body ? body.v : undefined;
  if (typeof version === 'number' && !PROTOCOL_VERSIONS_SPOKEN.includes(version))
    throw new CodedError('version_not_spoken', `v: must be one of ${PROTOCOL_VERSIONS_SPOKEN.join(', ')}`, {
      field: 'v',
      remedy: 'Update the server or the collector, whichever is older.',
    });
  const parsed = clusterEnvelope.safeParse(sanitizeHead(body));
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
    return { rejected: { seq, index, code: 'kind_unknown', detail: 'kind: is not supported by this server' } };
  const parsed = clusterItem.safeParse(clean);
  if (parsed.success) return { item: parsed.data };
  const issue = parsed.error.issues[0];
  const detail = `${issue?.path.map(String).join('.') || 'item'}: ${issue?.message ?? 'not valid'}`.slice(0, 200);
  return { rejected: { seq, index, code: 'invalid_item', detail } };
}
