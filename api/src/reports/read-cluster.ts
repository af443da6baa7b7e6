import { clusterEnvelope, type ClusterEnvelope } from '@plimsoll/contract/wire/cluster-report';
import { PROTOCOL_VERSIONS_SPOKEN, REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { CodedError } from '../errors.ts';
import { parseJson } from '../http/parse-json.ts';
import type { JudgedItem, Refusal } from '../kubernetes/refusals.ts';
import { judgeClusterItem, type RejectedItem } from './judge-cluster-item.ts';
import { protectClusterHead, protectClusterItem } from './protect-privacy.ts';
import type { Redactor } from './redactor.ts';
import { sanitizeHead } from './sanitize.ts';

/** A request of a cluster's collector without its items. */
interface ClusterHead extends Omit<ClusterEnvelope, 'reports'> {
  rejected: RejectedItem[];
  /** Ids of listings that had an item rejected; an empty text stands for any. */
  lostListings: string[];
  /** Texts that the budget for redaction did not cover. */
  withheld: number;
}
export interface ReadCluster {
  head: ClusterHead;
  items: JudgedItem[];
}

/** Parses a request of a cluster's collector, judges and redacts each object. Throws coded errors for the whole. */
export function readCluster(bytes: Uint8Array, redactor: Redactor): ReadCluster {
  const { reports, ...envelope } = parseEnvelope(parseJson(bytes, REPORT_LIMITS.depth));
  const head = protectClusterHead(envelope, redactor);
  const items: JudgedItem[] = [];
  const rejected: RejectedItem[] = [];
  const lostListings: string[] = [];
  for (const [index, raw] of reports.entries()) {
    const verdict = judgeClusterItem(raw, index);
    if ('judged' in verdict) {
      const { judged } = verdict;
      items.push(protect(judged, redactor));
      continue;
    }
    rejected.push(verdict.rejected);
    if (verdict.lostListing !== null) lostListings.push(verdict.lostListing);
  }
  return { head: { ...head, rejected, lostListings, withheld: redactor.withheld }, items };
}

/**
 * Redacts an item. Beyond the budget a mark replaces a text, which would look like a change of a described object: these
 * are left out until the next listing, which finds most texts in the cache.
 */
function protect(judged: JudgedItem, redactor: Redactor): JudgedItem {
  const before = redactor.withheld;
  const item = protectClusterItem(judged.item, redactor);
  if (redactor.withheld === before || item.objects === undefined) return { ...judged, item };
  const { objects, ...rest } = item;
  const lost: Refusal = {
    kind: 'objects',
    reader: 'objects',
    uid: null,
    namespace: null,
    name: null,
    problem: `${String(objects.length)} objects hold more text than one request may`,
  };
  return { ...judged, item: rest, refused: [...judged.refused, lost] };
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
