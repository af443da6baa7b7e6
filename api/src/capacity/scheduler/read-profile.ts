import { parseSelector, type LabelRequirement } from '@plimsoll/contract/rules/label-selector';
import type {
  NodeTerm as WireNodeTerm,
  PlacementObject,
  PodTerm as WirePodTerm,
  SpreadTerm as WireSpreadTerm,
} from '@plimsoll/contract/wire/cluster-placement';
import { NAMESPACE_LABEL } from './topology.ts';
import type { Labels, NodeTerm, PodProfile, PodTerm, SpreadTerm, Taint } from './types.ts';

/** The stored parts of a pod that decide where it can run. */
export interface StoredPod {
  namespace: string;
  labels: Labels;
  /** Null: none is set. */
  cpuCores: number | null;
  memoryBytes: number | null;
  /** Null: it has no constraints. */
  placement: PlacementObject | null;
  /** Node affinity of each bound volume that has one. */
  volumes: readonly (readonly WireNodeTerm[])[];
  isTerminating: boolean;
  /** Why its constraints are not known; empty: they are. */
  unknown: readonly string[];
}

/** Returns the profile of a stored pod. What is not modelled is named in it. */
export function readProfile(pod: StoredPod): PodProfile {
  const { namespace, labels, placement, cpuCores, memoryBytes } = pod;
  const notModelled = new Set([...pod.unknown, ...(placement?.not_modelled ?? [])]);
  const read = (text: string): readonly LabelRequirement[] => {
    const parsed = parseSelector(text);
    if (parsed === null) notModelled.add('a selector that cannot be read');
    return parsed ?? [];
  };
  const podTerms = (terms: readonly WirePodTerm[] | undefined): PodTerm[] =>
    (terms ?? []).map((term) => readPodTerm(term, pod, { read, note: (reason) => notModelled.add(reason) }));
  return {
    namespace,
    labels,
    requests: {
      // The scheduler counts whole millicores and rounds up; cores are binary fractions here.
      cpu: Math.ceil(Math.round((cpuCores ?? 0) * 1e6) / 1e3),
      memory: memoryBytes ?? 0,
      ...placement?.requests,
    },
    nodeSelector: placement?.node_selector ?? {},
    nodeAffinity: placement?.node_affinity ? readNodeTerms(placement.node_affinity, read) : null,
    tolerations: (placement?.tolerations ?? []).map(({ key, exists, value, effect }) => ({
      key: key ?? null,
      exists: exists === true,
      value: value ?? '',
      effect: effect ?? null,
    })),
    hostPorts: placement?.host_ports ?? [],
    affinity: podTerms(placement?.pod_affinity),
    antiAffinity: podTerms(placement?.pod_anti_affinity),
    spread: (placement?.spread ?? []).map((term) => readSpreadTerm(term, labels, read)),
    volumes: pod.volumes.map((terms) => readNodeTerms(terms, read)),
    isTerminating: pod.isTerminating,
    notModelled: [...notModelled],
  };
}

type Read = (text: string) => readonly LabelRequirement[];

/** An empty term matches no node, so it is left out. */
const readNodeTerms = (terms: readonly WireNodeTerm[], read: Read): NodeTerm[] =>
  terms.flatMap(({ labels = '', fields = '' }) =>
    labels === '' && fields === '' ? [] : [{ labels: read(labels), fields: read(fields) }],
  );

/** Requires the pod's own value of each label, as `matchLabelKeys` does. A label that the pod lacks is left out. */
const ownValues = (keys: readonly string[] | undefined, labels: Labels, operator: 'In' | 'NotIn'): LabelRequirement[] =>
  (keys ?? []).flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return value === undefined ? [] : [{ key, operator, values: [value] }];
  });

function readPodTerm(
  term: WirePodTerm,
  { namespace, labels }: Pick<StoredPod, 'namespace' | 'labels'>,
  { read, note }: { read: Read; note: (reason: string) => void },
): PodTerm {
  const { namespaces, namespace_selector: byLabels, selector } = term;
  const namespaceSelector = byLabels === undefined ? null : read(byLabels);
  if (namespaceSelector?.some(({ key }) => key !== NAMESPACE_LABEL) === true)
    note('namespaceSelector: labels of namespaces are not read');
  const isOwn = namespaces === undefined && byLabels === undefined;
  return {
    topologyKey: term.topology_key,
    selector:
      selector === null
        ? null
        : [
            ...read(selector),
            ...ownValues(term.match_label_keys, labels, 'In'),
            ...ownValues(term.mismatch_label_keys, labels, 'NotIn'),
          ],
    namespaces: new Set(isOwn ? [namespace] : namespaces),
    namespaceSelector,
  };
}

const readSpreadTerm = (term: WireSpreadTerm, labels: Labels, read: Read): SpreadTerm => ({
  topologyKey: term.topology_key,
  maxSkew: term.max_skew,
  minDomains: term.min_domains ?? 1,
  selector: term.selector === null ? null : [...read(term.selector), ...ownValues(term.match_label_keys, labels, 'In')],
  honorsAffinity: term.ignores_node_affinity !== true,
  honorsTaints: term.honors_taints === true,
});

/** Parses a taint as the collector writes it: "key=value:effect" or "key:effect". */
export function readTaint(text: string): Taint {
  const end = text.lastIndexOf(':');
  const [key = '', ...value] = text.slice(0, end).split('=');
  return { key, value: value.join('='), effect: text.slice(end + 1) };
}
