import { notFound } from '../../errors.ts';
import { nameOf } from '../../servers/fleet.ts';
import type { Stores } from '../../storage.ts';
import type { Owner } from '../../tenancy/owner.ts';
import type { AlertRule, RuleTarget } from '../types.ts';
import { ruleText } from './rule-text.ts';

type Read = Pick<Stores, 'servers' | 'kubernetes'>;

/** Names of the server and the cluster that a target has by id; null: it has none, or the owner has no such one. */
export interface TargetNames {
  server: string | null;
  cluster: string | null;
}

const serverIdOf = (target: RuleTarget): string | null => ('serverId' in target ? target.serverId : null);
const clusterIdOf = (target: RuleTarget): string | null => ('clusterId' in target ? target.clusterId : null);

async function namesOf({ servers, kubernetes }: Read, owner: Owner, target: RuleTarget): Promise<TargetNames> {
  const [serverId, clusterId] = [serverIdOf(target), clusterIdOf(target)];
  const found = serverId === null ? null : await servers.get(owner, serverId);
  const clusters = clusterId === null ? [] : await kubernetes.views.clusterStates({ owner });
  const cluster = clusters.find(({ id }) => id === clusterId);
  return {
    server: found && nameOf(found.server),
    cluster: cluster === undefined ? null : (cluster.name ?? cluster.id),
  };
}

/**
 * Returns the target in words for the audit log: "namespace shop in prod"; empty for all servers or clusters. A server
 * or cluster that is gone has its id.
 */
export function targetWords(target: RuleTarget, names: TargetNames): string {
  const server = names.server ?? serverIdOf(target);
  const cluster = names.cluster ?? clusterIdOf(target);
  const within = (name: string | null): string => (name === null ? '' : ` in ${name}`);
  switch (target.kind) {
    case 'all':
      return '';
    case 'server':
      return `server ${server ?? ''}`;
    case 'tag':
      return `tag ${target.key}${target.value === null ? '' : `=${target.value}`}`;
    case 'mount':
      return `mount ${target.mount}${server === null ? '' : ` of ${server}`}`;
    case 'cluster':
      return `cluster ${cluster ?? ''}`;
    case 'namespace':
      return `namespace ${target.namespace}${within(cluster)}`;
    case 'workload':
      return `workload ${target.namespace}/${target.workload}${within(cluster)}`;
  }
}

/**
 * Throws `not_found` if a target has a server or cluster of another account: it answers as for one that nobody has.
 */
export async function requireTarget(stores: Read, owner: Owner, target: RuleTarget): Promise<void> {
  const names = await namesOf(stores, owner, target);
  if (serverIdOf(target) !== null && names.server === null) throw notFound('Server');
  if (clusterIdOf(target) !== null && names.cluster === null) throw notFound('Cluster');
}

/** Returns the detail of an audit entry about a rule. */
export async function auditedRule(stores: Read, owner: Owner, rule: AlertRule): Promise<Record<string, string>> {
  const on = targetWords(rule.target, await namesOf(stores, owner, rule.target));
  return { id: rule.id, target: rule.target.kind, rule: ruleText(rule), ...(on !== '' && { on }) };
}
