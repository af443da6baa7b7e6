import { SECOND_MS } from '@plimsoll/contract/rules/durations';
import type { RuleDraft } from '../types.ts';

/** Returns the columns of a rule. `targetOf` of the adapter reads them back. */
export const columnsOf = ({ metric, target, lines, forMs, keepFiringForMs, hysteresisPoints, enabled }: RuleDraft) => ({
  metric,
  target: target.kind,
  serverId: 'serverId' in target ? target.serverId : null,
  tagKey: target.kind === 'tag' ? target.key : null,
  tagValue: target.kind === 'tag' ? target.value : null,
  mount: target.kind === 'mount' ? target.mount : null,
  clusterId: 'clusterId' in target ? target.clusterId : null,
  namespace: 'namespace' in target ? target.namespace : null,
  workloadKind: target.kind === 'workload' ? target.workloadKind : null,
  workload: target.kind === 'workload' ? target.workload : null,
  lines: lines.map(({ level, threshold }) => ({ level, threshold })),
  forSeconds: forMs / SECOND_MS,
  keepFiringForSeconds: keepFiringForMs / SECOND_MS,
  hysteresisPoints,
  enabled,
});
