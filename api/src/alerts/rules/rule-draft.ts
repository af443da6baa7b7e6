import { ALERT_METRICS } from '@plimsoll/contract/rules/alert-metrics';
import type { AlertRuleRequest } from '@plimsoll/contract/wire/alert-rules';
import type { RuleDraft, RuleTarget } from '../types.ts';
import { JUDGED_BY_JOBS } from './rules.ts';

/** The schema has checked that the target's fields are there. */
function targetOf(body: AlertRuleRequest): RuleTarget {
  const { target, server_id: serverId = null, tag_key: key, tag_value: value = null, mount } = body;
  if (target === 'server' && serverId !== null) return { kind: 'server', serverId };
  if (target === 'tag' && typeof key === 'string') return { kind: 'tag', key, value };
  if (target === 'mount' && typeof mount === 'string') return { kind: 'mount', mount, serverId };
  const { cluster_id: clusterId = null, namespace, workload, workload_kind: workloadKind = null } = body;
  if (target === 'cluster' && clusterId !== null) return { kind: 'cluster', clusterId };
  if (target === 'namespace' && typeof namespace === 'string') return { kind: 'namespace', namespace, clusterId };
  if (target === 'workload' && typeof namespace === 'string' && typeof workload === 'string')
    return { kind: 'workload', namespace, workload, workloadKind, clusterId };
  return { kind: 'all' };
}

/** Returns a rule as it is stored; timings that are missing get the values of the default rules. */
export function draftOf(body: AlertRuleRequest): RuleDraft {
  const { forSeconds, keepFiringForSeconds, hysteresisPoints } = ALERT_METRICS[body.metric];
  // The first report that arrives resolves its alert.
  const isSilence = (JUDGED_BY_JOBS as readonly string[]).includes(body.metric);
  const lowest = body.lines[0]?.threshold ?? null;
  return {
    metric: body.metric,
    target: targetOf(body),
    lines: body.lines,
    forMs: (body.for_seconds ?? forSeconds) * 1000,
    keepFiringForMs: isSilence ? 0 : (body.keep_firing_for_seconds ?? keepFiringForSeconds) * 1000,
    // A state has none. The default must not reach below zero for a low line: the alert would never resolve.
    hysteresisPoints: lowest === null ? 0 : (body.hysteresis_points ?? Math.min(hysteresisPoints, lowest / 2)),
    enabled: body.enabled,
  };
}
