import { createHash } from 'node:crypto';
import type { V1Affinity, V1Container, V1NodeSelectorTerm, V1Pod, V1PodAffinityTerm } from '@kubernetes/client-node';
import type {
  NodeTerm,
  PlacementObject,
  PodTerm,
  SpreadTerm,
  Toleration,
} from '@plimsoll/contract/wire/cluster-placement';
import { CLUSTER_LIMITS, FIGURE_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { formatSelector, type LabelRequirement } from '@plimsoll/contract/rules/label-selector';
import { isSecretName } from '@plimsoll/contract/redaction/names';
import { boundedQuantity } from './quantity.ts';

/** Constraints that cannot be sent. The pod is sent without them, and its unknown fields name the reason. */
export class PlacementError extends Error {}

type Spec = NonNullable<V1Pod['spec']>;
type Parts = Omit<PlacementObject, 'hash'>;

/** Returns the constraints on the nodes of a pod; null if it has none. Throws PlacementError. */
export function placementOf(pod: V1Pod): PlacementObject | null {
  const { spec, status } = pod;
  if (!spec || status?.phase === 'Succeeded' || status?.phase === 'Failed') return null;
  const parts: Parts = {
    ...present('node_selector', nodeSelectorOf(spec)),
    ...nodeAffinityOf(spec.affinity),
    ...present('tolerations', tolerationsOf(spec)),
    ...present('host_ports', hostPortsOf(spec)),
    ...present('pod_affinity', podTermsOf(spec.affinity?.podAffinity)),
    ...present('pod_anti_affinity', podTermsOf(spec.affinity?.podAntiAffinity)),
    ...present('spread', spreadOf(spec)),
    ...present('requests', otherRequests(spec)),
    ...(spec.priority ? { priority: whole(spec.priority, 'priority', -FIGURE_LIMITS.int32 - 1) } : {}),
    ...present('not_modelled', notModelled(spec)),
  };
  if (Object.keys(parts).length === 0) return null;
  const text = JSON.stringify(parts);
  if (text.length > CLUSTER_LIMITS.placementBytes)
    throw new PlacementError(`more than ${String(CLUSTER_LIMITS.placementBytes)} bytes`);
  return { hash: createHash('sha256').update(text).digest('base64url').slice(0, 12), ...parts };
}

function present<K extends keyof Parts>(key: K, value: NonNullable<Parts[K]>): Partial<Parts> {
  const isEmpty = typeof value === 'object' && Object.keys(value).length === 0;
  return isEmpty ? {} : { [key]: value };
}

function few<T>(list: readonly T[] | undefined, field: string): readonly T[] {
  if (list === undefined || list === null) return [];
  const most = CLUSTER_LIMITS.placementParts;
  if (!Array.isArray(list) || list.length > most)
    throw new PlacementError(`${field}: more than ${String(most)} entries`);
  return list;
}

function text(value: unknown, field: string, most = 317): string {
  if (typeof value !== 'string' || value.length > most || !/^[ -~]*$/.test(value))
    throw new PlacementError(`${field}: is no text of at most ${String(most)} characters`);
  return value;
}

function whole(value: unknown, field: string, least = 1): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > FIGURE_LIMITS.int32)
    throw new PlacementError(`${field}: is no number in range`);
  return value;
}

/** A label whose name says that its value is a secret is in no selector: the dashboard removes the value from nodes. */
function checkedKey(key: unknown, field: string): string {
  const name = text(key, field);
  if (isSecretName(name)) throw new PlacementError(`${field}: the name of a label says that its value is a secret`);
  return name;
}

function nodeSelectorOf({ nodeSelector }: Spec): Record<string, string> {
  const entries = few(Object.entries(nodeSelector ?? {}), 'nodeSelector');
  return Object.fromEntries(
    entries.map(([key, value]) => [checkedKey(key, 'nodeSelector'), text(value, 'nodeSelector', 63)]),
  );
}

interface Expression {
  key: string;
  operator: string;
  values?: string[];
}
const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;

function requirement({ key, operator, values }: Expression, field: string): LabelRequirement {
  const known = OPERATORS.find((one) => one === operator);
  if (known === undefined) throw new PlacementError(`${field}: an operator is unknown`);
  return { key: checkedKey(key, field), operator: known, values: values ?? [] };
}

function selectorText(requirements: readonly LabelRequirement[], field: string): string {
  const selector = formatSelector(requirements);
  if (selector === null) throw new PlacementError(`${field}: is no selector that Kubernetes accepts, or is too long`);
  return selector;
}

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: Expression[];
}
function selectorOf(selector: Selector, field: string): string {
  const labels = few(Object.entries(selector.matchLabels ?? {}), field);
  return selectorText(
    [
      ...labels.map(([key, value]) => requirement({ key, operator: 'In', values: [value] }, field)),
      ...few(selector.matchExpressions, field).map((one) => requirement(one, field)),
    ],
    field,
  );
}

function nodeAffinityOf(affinity: V1Affinity | undefined): Pick<Parts, 'node_affinity'> {
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required ? { node_affinity: nodeTermsOf(required.nodeSelectorTerms) } : {};
}

/** Returns the terms of a node selector, of which one must hold. An empty term matches no node, so it is left out. */
export function nodeTermsOf(terms: readonly V1NodeSelectorTerm[] | undefined): NodeTerm[] {
  return few(terms, 'nodeAffinity').flatMap(({ matchExpressions, matchFields }) => {
    const part = (list: Expression[] | undefined): string =>
      selectorText(
        few(list, 'nodeAffinity').map((one) => requirement(one, 'nodeAffinity')),
        'nodeAffinity',
      );
    const [labels, fields] = [part(matchExpressions), part(matchFields)];
    if (labels === '' && fields === '') return [];
    return [{ ...(labels === '' ? {} : { labels }), ...(fields === '' ? {} : { fields }) }];
  });
}

/** Admission adds these two to each pod, so every pod counts as having them. */
const ADDED_TOLERATIONS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

/** Kubernetes 1.35 adds Gt and Lt. A toleration that is read as Equal would let the pod onto other nodes. */
const isModelled = ({ operator }: { operator?: string | undefined }): boolean =>
  ['', 'Equal', 'Exists'].includes(operator ?? '');

function tolerationsOf({ tolerations }: Spec): Toleration[] {
  return few(tolerations, 'tolerations').flatMap(({ key, operator, value, effect }) => {
    if (!isModelled({ operator })) return [];
    const exists = operator === 'Exists';
    if (exists && effect === 'NoExecute' && ADDED_TOLERATIONS.includes(key ?? '')) return [];
    return [
      {
        ...(key ? { key: text(key, 'tolerations') } : {}),
        ...(exists ? { exists } : {}),
        ...(value ? { value: text(value, 'tolerations', 63) } : {}),
        ...(effect ? { effect: text(effect, 'tolerations', 32) } : {}),
      },
    ];
  });
}

/** Containers that hold resources and ports while the pod runs: sidecars, too. */
const running = ({ containers, initContainers }: Spec): V1Container[] => [
  ...(containers ?? []),
  ...(initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
];

function hostPortsOf(spec: Spec): string[] {
  const ports = running(spec).flatMap(({ ports: own }) => own ?? []);
  return few(
    ports.filter(({ hostPort }) => hostPort),
    'hostPorts',
  ).map(({ hostPort, protocol, hostIP }) => {
    const port = `${text(protocol ?? 'TCP', 'hostPorts', 8)}:${String(whole(hostPort, 'hostPorts'))}`;
    return hostIP && hostIP !== '0.0.0.0' ? `${port}@${text(hostIP, 'hostPorts', 45)}` : port;
  });
}

function podTermsOf(
  affinity: { requiredDuringSchedulingIgnoredDuringExecution?: V1PodAffinityTerm[] } | undefined,
): PodTerm[] {
  const field = 'podAffinity';
  return few(affinity?.requiredDuringSchedulingIgnoredDuringExecution, field).map((term) => {
    const namespaces = few(term.namespaces, field).map((name) => text(name, field, 253));
    const keys = few(term.matchLabelKeys, field).map((key) => checkedKey(key, field));
    const others = few(term.mismatchLabelKeys, field).map((key) => checkedKey(key, field));
    return {
      topology_key: text(term.topologyKey, field),
      selector: term.labelSelector ? selectorOf(term.labelSelector, field) : null,
      ...(namespaces.length > 0 ? { namespaces } : {}),
      ...(term.namespaceSelector ? { namespace_selector: selectorOf(term.namespaceSelector, field) } : {}),
      ...(keys.length > 0 ? { match_label_keys: keys } : {}),
      ...(others.length > 0 ? { mismatch_label_keys: others } : {}),
    };
  });
}

function spreadOf({ topologySpreadConstraints }: Spec): SpreadTerm[] {
  const field = 'topologySpreadConstraints';
  return few(topologySpreadConstraints, field)
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map((term) => {
      const keys = few(term.matchLabelKeys, field).map((key) => checkedKey(key, field));
      return {
        topology_key: text(term.topologyKey, field),
        max_skew: whole(term.maxSkew, field),
        ...(term.minDomains ? { min_domains: whole(term.minDomains, field) } : {}),
        selector: term.labelSelector ? selectorOf(term.labelSelector, field) : null,
        ...(keys.length > 0 ? { match_label_keys: keys } : {}),
        ...(term.nodeAffinityPolicy === 'Ignore' ? { ignores_node_affinity: true as const } : {}),
        ...(term.nodeTaintsPolicy === 'Honor' ? { honors_taints: true as const } : {}),
      };
    });
}

/**
 * Returns the requests beside CPU and memory, as the scheduler adds them: all running containers, or an init container
 * beside the sidecars before it, and the overhead of the runtime class. Requests of the whole pod take the place of both.
 */
function otherRequests(spec: Spec): Record<string, number> {
  const names = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      Object.keys(resources?.requests ?? {}),
    ),
  );
  for (const name of Object.keys({ ...spec.resources?.requests, ...spec.overhead })) names.add(name);
  const others = few([...names].filter((name) => name !== 'cpu' && name !== 'memory').toSorted(), 'requests');
  return Object.fromEntries(
    others.map((name) => [text(name, 'requests'), amountOf(spec, name)] as const).filter(([, amount]) => amount > 0),
  );
}

function amountOf(spec: Spec, name: string): number {
  const told = (list: Record<string, string> | undefined): number => {
    if (list?.[name] === undefined) return 0;
    const amount = boundedQuantity(list[name], FIGURE_LIMITS.bytes);
    if (amount === null) throw new PlacementError(`requests.${name}: is no quantity in range`);
    return amount;
  };
  let sidecars = 0;
  let starting = 0;
  for (const { resources, restartPolicy } of spec.initContainers ?? []) {
    const own = told(resources?.requests);
    starting = Math.max(starting, sidecars + own);
    if (restartPolicy === 'Always') sidecars += own;
  }
  const together = (spec.containers ?? []).reduce((sum, { resources }) => sum + told(resources?.requests), sidecars);
  const isOfPod = spec.resources?.requests?.[name] !== undefined;
  const amount = (isOfPod ? told(spec.resources?.requests) : Math.max(together, starting)) + told(spec.overhead);
  if (amount > FIGURE_LIMITS.bytes) throw new PlacementError(`requests.${name}: is no quantity in range`);
  return amount;
}

function notModelled({
  schedulerName,
  schedulingGates,
  resourceClaims,
  volumes,
  nodeName,
  tolerations,
}: Spec): string[] {
  const foreign = schedulerName !== undefined && schedulerName !== '' && schedulerName !== 'default-scheduler';
  return [
    ...(foreign ? [`schedulerName ${text(schedulerName, 'schedulerName', 253)}`] : []),
    // A gate holds back a pod until it has a node.
    ...(schedulingGates?.length && !nodeName ? ['schedulingGates'] : []),
    ...(resourceClaims?.length ? ['resourceClaims'] : []),
    ...(volumes?.some(({ ephemeral }) => ephemeral) ? ['ephemeral volumes'] : []),
    ...(tolerations?.every(isModelled) === false ? ['tolerations with Gt or Lt'] : []),
  ];
}
