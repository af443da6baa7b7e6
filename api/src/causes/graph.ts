import { askedPeer, keyOf, refKey, serverEntity } from './entities.ts';
import type { Evidence, ObjectRef, ObjectSeen } from './evidence.ts';
import { fieldsBelow, refOf, type ObjectIndex, type Workload } from './index-objects.ts';
import { isCallError } from './words.ts';

/**
 * The graph of a moment. An edge leads from what acts to what it acts on. A call crosses from a Service to those that
 * use it: trouble of one kind arrives there as failing calls.
 */

/** An edge that the evidence shows: a selector, a mount, a text that names the other. */
const KNOWN_EDGE = 1;
/** An edge that may be there: programs of one namespace usually talk to each other, but not each to each. */
export const POSSIBLE_EDGE = 0.8;

interface Edge {
  to: string;
  certainty: number;
  isCall: boolean;
}
export interface Reach {
  certainty: number;
  isCall: boolean;
}
export interface Graph {
  /** Returns all that the entities act on, with the certainty of the best way. */
  reach: (from: readonly string[]) => ReadonlyMap<string, Reach>;
  /** Returns the workloads whose texts name the Service as an address. */
  callersOf: (service: ObjectRef) => readonly Workload[];
  /** Workloads behind a Service. */
  behind: (service: ObjectRef) => readonly Workload[];
}

/** A longer chain of causes is a guess. */
const MOST_STEPS = 7;
/** Uncertain twice is not known at all. */
const LEAST_CERTAINTY = 0.7;

export const SELECTOR = 'selector.';
export const isDns = ({ namespace, name }: ObjectRef): boolean =>
  namespace === 'kube-system' && /^(?:kube-dns|coredns|rke2-coredns.*)$/.test(name);

const NETWORK = /^(?:cilium|calico-node|kube-flannel|flannel|weave|canal|antrea|kindnet|aws-node|kube-proxy|ovn)/;

class Edges {
  readonly #known = new Map<string, Map<string, Edge>>();
  readonly #possible = new Map<string, Map<string, Edge>>();
  add(from: string, to: string, certainty: number, isCall = false): void {
    const certain = this.#known.get(from);
    if (from === to || certain?.has(to) === true) return;
    const isKnown = certainty === KNOWN_EDGE;
    const all = isKnown ? this.#known : this.#possible;
    const edges = all.get(from) ?? new Map<string, Edge>();
    all.set(from, edges.set(to, { to, certainty, isCall }));
    if (isKnown) this.#possible.get(from)?.delete(to);
  }
  /** Edges that a way of this certainty may take: in a large namespace almost all are guesses, and a second guess is none. */
  *of(from: string, certainty: number): Iterable<Edge> {
    yield* this.#known.get(from)?.values() ?? [];
    if (certainty * POSSIBLE_EDGE >= LEAST_CERTAINTY) yield* this.#possible.get(from)?.values() ?? [];
  }
}

export function buildGraph(evidence: Evidence, index: ObjectIndex): Graph {
  const edges = new Edges();
  const services = serviceRefs(evidence, index);
  const behind = new Map(services.map((ref) => [refKey(ref), backendsOf(ref, index)]));
  const callers = new Map(
    services.map((ref) => [refKey(ref), callersByText(ref, index, behind.get(refKey(ref)) ?? [])]),
  );
  addPods(edges, index);
  addServices(edges, { services, behind, callers, index });
  addAutoscalers(edges, index);
  addConfigMaps(edges, evidence, index);
  addMachines(edges, evidence);
  return {
    reach: (from) => reach(edges, from),
    callersOf: (ref) => callers.get(refKey(ref)) ?? [],
    behind: (ref) => behind.get(refKey(ref)) ?? [],
  };
}

function reach(edges: Edges, from: readonly string[]): ReadonlyMap<string, Reach> {
  const found = new Map<string, Reach>(from.map((key) => [key, { certainty: 1, isCall: false }]));
  let front = [...found.keys()];
  for (let step = 0; step < MOST_STEPS && front.length > 0; step += 1) {
    const next = new Set<string>();
    for (const key of front) {
      const here = found.get(key);
      if (here === undefined) continue;
      for (const edge of edges.of(key, here.certainty)) {
        const way = { certainty: here.certainty * edge.certainty, isCall: here.isCall || edge.isCall };
        const known = found.get(edge.to);
        const isBetter =
          known === undefined ||
          way.certainty > known.certainty ||
          (way.certainty === known.certainty && known.isCall && !way.isCall);
        if (way.certainty < LEAST_CERTAINTY || !isBetter) continue;
        found.set(edge.to, way);
        next.add(edge.to);
      }
    }
    front = [...next];
  }
  return found;
}

/** Services that are there, and those that a change removed. */
function serviceRefs(evidence: Evidence, index: ObjectIndex): ObjectRef[] {
  const gone = evidence.changes.flatMap(({ kind, clusterId, namespace, name }) =>
    kind === 'Service' && clusterId !== null ? [{ clusterId, namespace, kind, name }] : [],
  );
  const refs = [...index.objectsOf('Service').map(refOf), ...gone];
  return [...new Map(refs.map((ref) => [refKey(ref), ref])).values()];
}

/** Workloads that the selector matches, also as it was before a change. Without one, those of the same name. */
function backendsOf(service: ObjectRef, index: ObjectIndex): readonly Workload[] {
  const object = index.find(service);
  const now = object === null ? {} : fieldsBelow(object.fields, SELECTOR);
  const before = { ...now };
  for (const change of index.changesOf(service))
    for (const { field, before: value } of change.fields) {
      if (!field.startsWith(SELECTOR)) continue;
      const name = field.slice(SELECTOR.length);
      if (value === null) delete before[name];
      else before[name] = value;
    }
  const found = [...index.selected(service, now), ...index.selected(service, before)];
  if (found.length > 0 || object !== null) return [...new Set(found)];
  return [...index.workloads.values()].filter(
    ({ ref }) =>
      ref.clusterId === service.clusterId && ref.namespace === service.namespace && ref.name === service.name,
  );
}

const escape = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
/** A name as an address: after "//", "@", a quote or a verb of looking up, or before a port or a domain. */
export const addressPattern = (name: string): RegExp =>
  new RegExp(
    String.raw`(?:(?://|@|["'\x60(=]|\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|lookup|host|to|server|name|address|resolve|for|from)[ :="']{1,3})${escape(name)}(?=$|[\s"'\x60/:),;.?\]])|(?:^|[\s,])${escape(name)}(?:\.[a-z0-9-]+(?:\.svc[a-z0-9.-]*)?)?:\d)`,
    'i',
  );

/** A text that only lists names is no call. */
const isCall = (text: string): boolean => isCallError(text) || text.includes('://');
function callersByText(service: ObjectRef, index: ObjectIndex, behind: readonly Workload[]): Workload[] {
  const pattern = addressPattern(service.name);
  // Before the pattern: there are as many pairs as Services times texts, and most texts do not hold the name.
  const name = service.name.toLowerCase();
  return index.talking.filter(
    (workload) =>
      workload.ref.clusterId === service.clusterId &&
      !behind.includes(workload) &&
      workload.texts.some(
        ({ text }) =>
          text.toLowerCase().includes(name) &&
          isCall(text) &&
          pattern.test(text) &&
          isOfNamespace(text, service, workload),
      ),
  );
}
/** In another namespace the address must name the namespace. */
const isOfNamespace = (text: string, service: ObjectRef, { ref }: Workload): boolean =>
  ref.namespace === service.namespace || text.includes(`${service.name}.${service.namespace ?? ''}`);

function addPods(edges: Edges, index: ObjectIndex): void {
  for (const { key, pods } of index.workloads.values())
    for (const pod of pods) {
      const podKey = refKey({ clusterId: pod.clusterId, namespace: pod.namespace, kind: 'Pod', name: pod.name });
      edges.add(key, podKey, KNOWN_EDGE);
      edges.add(podKey, key, KNOWN_EDGE);
      if (pod.node !== null) {
        const nodeKey = refKey({ clusterId: pod.clusterId, namespace: null, kind: 'Node', name: pod.node });
        edges.add(nodeKey, podKey, KNOWN_EDGE);
        // Without it the pods of the node reach nobody.
        if (pod.ownerKind === 'DaemonSet' && NETWORK.test(pod.ownerName ?? '')) edges.add(key, nodeKey, KNOWN_EDGE);
      }
      const { clusterId, namespace } = pod;
      for (const name of pod.claims)
        edges.add(refKey({ clusterId, namespace, kind: 'PersistentVolumeClaim', name }), podKey, KNOWN_EDGE);
    }
}

interface Services {
  services: readonly ObjectRef[];
  behind: ReadonlyMap<string, readonly Workload[]>;
  callers: ReadonlyMap<string, readonly Workload[]>;
  index: ObjectIndex;
}
function addServices(edges: Edges, { services, behind, callers, index }: Services): void {
  const byNamespace = Map.groupBy(index.workloads.values(), ({ ref }) => `${ref.clusterId}\n${ref.namespace ?? ''}`);
  for (const service of services) {
    const key = refKey(service);
    const backends = behind.get(key) ?? [];
    for (const workload of backends) edges.add(workload.key, key, KNOWN_EDGE);
    for (const workload of callers.get(key) ?? []) edges.add(key, workload.key, KNOWN_EDGE, true);
    const neighbours = isDns(service)
      ? [...index.workloads.values()].filter(({ ref }) => ref.clusterId === service.clusterId)
      : (byNamespace.get(`${service.clusterId}\n${service.namespace ?? ''}`) ?? []);
    for (const workload of neighbours)
      if (!backends.includes(workload) && !workload.blamesItself) edges.add(key, workload.key, POSSIBLE_EDGE, true);
  }
  for (const ingress of index.objectsOf('Ingress')) {
    const key = refKey(ingress);
    for (const [field, value] of Object.entries(ingress.fields)) {
      const name = /^Service (.{1,253}):/.exec(value)?.[1];
      if (name === undefined || !/^(?:rules\.|defaultBackend)/.test(field)) continue;
      edges.add(refKey({ ...refOf(ingress), kind: 'Service', name }), key, KNOWN_EDGE, true);
    }
  }
}

/** A quota, a policy and a webhook name what they keep out themselves. */
function addAutoscalers(edges: Edges, index: ObjectIndex): void {
  for (const { fields, ...scaler } of index.objectsOf('HorizontalPodAutoscaler')) {
    const [kind = '', name = ''] = fields['target']?.split('/') ?? [];
    edges.add(refKey(refOf(scaler)), refKey({ ...refOf(scaler), kind, name }), KNOWN_EDGE);
  }
}

/** Names of the ConfigMaps that a workload mounts or reads whole. */
const configMapsOf = ({ fields }: { fields: Readonly<Record<string, string>> }): string[] =>
  Object.entries(fields).flatMap(([field, value]) => {
    if (field.startsWith('volumes.')) return [/^configMap (.+)$/.exec(value)?.[1] ?? []].flat();
    if (!field.endsWith('.envFrom')) return [];
    return value.split(', ').flatMap((part) => [/ConfigMap (\S+)/.exec(part)?.[1] ?? []].flat());
  });

function addConfigMaps(edges: Edges, evidence: Evidence, index: ObjectIndex): void {
  const maps = new Map(
    [...evidence.objects, ...evidence.changes].flatMap(({ kind, clusterId, namespace, name }) => {
      if (kind !== 'ConfigMap' || clusterId === null || name === 'kube-root-ca.crt') return [];
      const ref = { clusterId, namespace, kind, name };
      return [[refKey(ref), ref]] as const;
    }),
  );
  for (const [key, ref] of maps) {
    const own = [...index.workloads.values()].filter(
      (workload) => workload.ref.clusterId === ref.clusterId && workload.ref.namespace === ref.namespace,
    );
    const users = own.filter(({ object }) => object !== null && configMapsOf(object).includes(ref.name));
    for (const workload of users) edges.add(key, workload.key, KNOWN_EDGE);
    // A variable that reads one key leaves no name behind.
    if (users.length === 0) for (const workload of own) edges.add(key, workload.key, POSSIBLE_EDGE);
  }
}

function addMachines(edges: Edges, evidence: Evidence): void {
  for (const node of evidence.nodes) {
    if (node.serverId === null) continue;
    const key = refKey({ clusterId: node.clusterId, namespace: null, kind: 'Node', name: node.name });
    const server = keyOf(serverEntity(node.serverId, ''));
    edges.add(key, server, KNOWN_EDGE);
    edges.add(server, key, KNOWN_EDGE);
  }
  for (const check of evidence.checks) {
    edges.add(keyOf(askedPeer(check)), checkKey(check.id), KNOWN_EDGE, true);
    if (check.serverId !== null)
      edges.add(keyOf(serverEntity(check.serverId, '')), checkKey(check.id), KNOWN_EDGE, true);
  }
  const doors = evidence.objects.filter(isDoor);
  // A deleted Ingress has no record of the Services behind it.
  const gone = evidence.changes.flatMap(({ action, clusterId, ...ref }) =>
    action === 'gone' && ref.kind === 'Ingress' && clusterId !== null ? [{ ...ref, clusterId }] : [],
  );
  const certificates = new Set(
    evidence.alerts.flatMap(({ metric, subject }) => (metric.startsWith('certificate') ? [subject] : [])),
  );
  for (const check of evidence.checks) {
    const named = doors.filter((door) => isNamedBy(check.target, door));
    // Without a name in common, any way into the cluster, and any machine that was read, may be the one that is checked.
    if (named.length === 0 && check.serverId === null && !certificates.has(check.id))
      for (const { serverId } of evidence.servers)
        edges.add(keyOf(serverEntity(serverId, '')), checkKey(check.id), POSSIBLE_EDGE, true);
    for (const door of named.length > 0 ? named : [...doors, ...gone])
      edges.add(refKey(door), checkKey(check.id), named.length > 0 ? KNOWN_EDGE : POSSIBLE_EDGE, true);
  }
}

/** A way into the cluster. */
const isDoor = ({ kind, fields }: ObjectSeen): boolean =>
  kind === 'Ingress' || (kind === 'Service' && /NodePort|LoadBalancer/.test(fields['type'] ?? ''));
/** Returns true if the target of a check has the host of an Ingress, the node port of a Service, or its name in the cluster. */
export function isNamedBy(target: string, { kind, namespace, name, fields }: ObjectSeen): boolean {
  if (kind === 'Ingress')
    return Object.keys(fields).some((field) => {
      const host = /^rules\.([^/]+)\//.exec(field)?.[1];
      return host !== undefined && host !== '*' && target.includes(host);
    });
  const ports = [...(fields['ports'] ?? '').matchAll(/node port (\d{1,5})/g)].map(([, port]) => Number(port));
  const own = [...target.matchAll(/:(\d{1,5})(?!\d)/g)].map(([, port]) => Number(port));
  return own.some((port) => ports.includes(port)) || target.includes(`${name}.${namespace ?? ''}`);
}

/** A check is no entity of an answer. */
export const checkKey = (id: string): string => JSON.stringify(['check', id]);
