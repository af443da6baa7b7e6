import type { Stores } from '../../storage.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { ruleText } from '../rules/rule-text.ts';
import { silenceText, type Silence } from '../silence-match.ts';

/** Returns the detail of an audit entry about a silence: its matcher with names in place of ids. */
export async function auditedSilence(
  { alertRules, kubernetes }: Pick<Stores, 'alertRules' | 'kubernetes'>,
  owner: Owner,
  silence: Silence,
): Promise<Record<string, string>> {
  const { id, endsAt, clusterId, rule } = silence;
  const clusters = clusterId === null ? [] : await kubernetes.views.clusterStates({ owner });
  const clusterName = clusters.find((cluster) => cluster.id === clusterId)?.name ?? clusterId;
  // A default rule has a name for an id, such as default-cpu.
  const own = rule === null ? null : await alertRules.get(owner, rule);
  const named = { ...silence, clusterId: clusterName, rule: own === null ? rule : `“${ruleText(own)}”` };
  return { id, silence: silenceText(named), ends_at: new Date(endsAt).toISOString() };
}
