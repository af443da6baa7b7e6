import type { SilenceRequest } from '@plimsoll/contract/wire/alerts/alert-silences';
import type { SilenceMatcher } from '../silence-match.ts';

/** Returns the matcher of a request; a field that is left out matches every alert. */
export const requestedMatcher = (body: SilenceRequest): SilenceMatcher => ({
  serverId: body.server_id ?? null,
  tagKey: body.tag_key ?? null,
  tagValue: body.tag_value ?? null,
  metric: body.metric ?? null,
  rule: body.rule_id ?? null,
  subject: body.subject ?? null,
  clusterId: body.cluster_id ?? null,
  namespace: body.namespace ?? null,
});
