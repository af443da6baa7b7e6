import type { RuleTarget } from '../alerts/types.ts';
import type { SilenceMatcher } from '../alerts/silence-match.ts';
import type { ObjectContext, Refusal } from './types.ts';

/**
 * Whoever may write objects in a namespace has a say over the pods and workloads of this namespace, and over nothing
 * else. Only the namespace of the release holds objects that concern the cluster or the account.
 */
const outside = (message: string): Refusal => ({ reason: 'OutsideNamespace', message });

/** Returns why an object of the namespace may not have such a rule; null: it may. */
export function ruleRefusal(namespace: string, target: RuleTarget, context: ObjectContext): Refusal | null {
  if ('clusterId' in target && target.clusterId !== context.clusterId)
    return outside('spec: an object applies to its own cluster only.');
  if (namespace === context.releaseNamespace) return null;
  if (target.kind !== 'namespace' && target.kind !== 'workload')
    return outside(
      `spec.target: must be namespace or workload outside of ${context.releaseNamespace}, the namespace of the release. Change the target, or move the object there.`,
    );
  if (target.namespace !== namespace)
    return outside(`spec.namespace: must be ${namespace}, the namespace of the object. Leave it out.`);
  return null;
}

const OWN_TARGETS: readonly RuleTarget['kind'][] = ['cluster', 'namespace', 'workload'];

/** Returns true if a rule concerns no more than the cluster of its object. */
export const isOwnTarget = ({ kind }: RuleTarget): boolean => OWN_TARGETS.includes(kind);

/** Returns why a cluster without the permission may not have such a rule; null: it may. */
export const organisationRefusal = (target: RuleTarget): Refusal | null =>
  isOwnTarget(target)
    ? null
    : {
        reason: 'OrganisationRulesOff',
        message:
          'spec.target: the objects of this cluster may not set rules of the whole organisation. Use cluster, namespace or workload, or let an admin allow it on the Kubernetes page of the dashboard.',
      };

/** Returns why an object of the namespace may not have such a silence; null: it may. */
export function silenceRefusal(namespace: string, matcher: SilenceMatcher, context: ObjectContext): Refusal | null {
  if (matcher.clusterId !== context.clusterId) return outside('spec: an object applies to its own cluster only.');
  if (namespace === context.releaseNamespace || matcher.namespace === namespace) return null;
  return outside(`spec.namespace: must be ${namespace}, the namespace of the object. Leave it out.`);
}

/** Returns why an object of the namespace may not be a channel; null: it may. */
export function channelRefusal(namespace: string, { releaseNamespace }: ObjectContext): Refusal | null {
  if (namespace === releaseNamespace) return null;
  return outside(
    `metadata.namespace: a channel counts only in ${releaseNamespace}, the namespace of the release. Create it there.`,
  );
}
