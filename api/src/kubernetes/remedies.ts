import type { ReaderStatePart } from '@plimsoll/contract/wire/cluster-fields';
import { CUSTOM_GROUP } from '@plimsoll/contract/rules/custom-resources';
import { LEASE_NEEDS } from '@plimsoll/contract/rules/kubernetes-limits';
import { METRICS_READER, PROMETHEUS_READER } from './cluster-state.ts';

/** The remedy for a failing reader: a sentence, and a shell line where one line is enough. */
export interface Remedy {
  remedy: string | null;
  command: string | null;
}

/** The texts come from a cluster and end in a shell: nothing but names passes. */
const NEEDS = /^([a-z]+(?:,[a-z]+)*) ([a-z]+(?:[./][a-z0-9]+)*(?:,[a-z]+(?:[./][a-z0-9]+)*)*)$/;
const ACCOUNT = /^([a-z0-9][a-z0-9-]*):([a-z0-9][a-z0-9.-]*)$/;
const DEFAULT_NAMESPACE = 'plimsoll-system';

/** Namespace of the collector that sent this, else the one the documentation installs into. */
export const namespaceOf = (reader: Pick<ReaderStatePart, 'service_account'> | undefined): string =>
  ACCOUNT.exec(reader?.service_account ?? '')?.[1] ?? DEFAULT_NAMESPACE;

/** Returns the kubectl line that grants a right; null if the account or the right is no plain name. */
export function grantCommand({ needs, service_account: account }: ReaderStatePart): string | null {
  const [, verbs, resources] = NEEDS.exec(needs ?? '') ?? [];
  const [, namespace] = ACCOUNT.exec(account ?? '') ?? [];
  if (verbs === undefined || resources === undefined || namespace === undefined) return null;
  const name = `plimsoll-grant-${resources.replaceAll(/[^a-z0-9]+/g, '-')}`;
  const rule = `--verb=${verbs} --resource=${resources}`;
  // The lease is the one object a collector writes, and only in its own namespace.
  return needs === LEASE_NEEDS
    ? `kubectl -n ${namespace} create role ${name} ${rule} && kubectl -n ${namespace} create rolebinding ${name} --role=${name} --serviceaccount=${account}`
    : `kubectl create clusterrole ${name} ${rule} && kubectl create clusterrolebinding ${name} --clusterrole=${name} --serviceaccount=${account}`;
}

const METRICS_SERVER =
  'kubectl apply -f https://github.com/kubernetes-sigs/metrics-server/releases/latest/download/components.yaml';

/** Returns what mends a reader in its present state; nothing while it works. */
export function remedyOf(reader: ReaderStatePart): Remedy {
  const { name, state, detail } = reader;
  if (state === 'ok' || state === 'off' || state === 'starting') return { remedy: null, command: null };
  if (state === 'incomplete')
    return { remedy: 'Correct these fields, or upgrade the collector. Everything else is stored.', command: null };
  if (state === 'forbidden') {
    if (detail?.startsWith('forbidden') !== true)
      return { remedy: 'Restart the collector, so that it mounts a valid token.', command: null };
    const command = grantCommand(reader);
    return {
      remedy:
        command === null
          ? 'Grant this right to the service account of the collector, or set rbac.create=true in the chart.'
          : 'Grant the right, or set rbac.create=true in the chart.',
      command,
    };
  }
  if (name === METRICS_READER)
    return state === 'absent'
      ? { remedy: 'metrics-server is not installed. Install it.', command: METRICS_SERVER }
      : {
          remedy: 'metrics-server is registered but does not answer. Look at its pods.',
          command: 'kubectl -n kube-system get pods,endpoints -l k8s-app=metrics-server',
        };
  if (name === PROMETHEUS_READER)
    return { remedy: 'Check prometheus.url and prometheus.tokenSecret in the chart.', command: null };
  if (name.startsWith('kubelet') && detail?.includes('certificate') === true)
    return {
      remedy: 'Set nodeAgent.kubelet.certificateAuthority or nodeAgent.kubelet.insecureSkipVerify=true in the chart.',
      command: null,
    };
  if (state === 'absent' && name.endsWith(`.${CUSTOM_GROUP}`))
    return { remedy: 'Upgrade the chart with customResources.create=true. It installs the definition.', command: null };
  if (state === 'absent')
    return { remedy: 'This version of Kubernetes does not serve the resource. Nothing can be done.', command: null };
  return { remedy: 'The collector tries again by itself. Check the API server if this persists.', command: null };
}
