import { setTimeout } from 'node:timers/promises';
import type { ApiServer } from '../bench/cluster/api-server.ts';
import type { Read } from './judge.ts';
import { claimName, type KubernetesObject, NAMESPACES } from './random-cluster.ts';
import { parseRefusal, type Verdict } from './verdict.ts';

const POLL_MS = 3;
const PATIENCE_MS = 60_000;
/** Longer than the first two waits of the scheduler before it tries a pod again: 1 s and 2 s. */
const SETTLE_MS = 4000;
/** A CPU request that no node can hold. */
const TOO_MUCH = '100000';

interface Pod {
  spec: { nodeName?: string };
  status: { conditions?: { type: string; status: string; reason?: string; message?: string }[] };
}

/** Nodes, volumes and pods as objects of a real API server; no kubelet runs them. */
export class RealCluster {
  readonly #api: ApiServer;

  constructor(api: ApiServer) {
    this.#api = api;
  }

  async #get<T>(path: string): Promise<T> {
    return JSON.parse(await this.#api.send('GET', path)) as T;
  }
  async #create<T = KubernetesObject>(path: string, object: object): Promise<T> {
    return JSON.parse(await this.#api.send('POST', path, object)) as T;
  }

  async makeNamespaces(names: readonly string[]): Promise<void> {
    for (const name of names)
      await this.#create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }

  /** Makes nodes and bound volumes, and waits until the scheduler counts the nodes. Returns them as they are stored. */
  async make(nodes: readonly KubernetesObject[], volumes: readonly string[][]): Promise<Read> {
    const made: KubernetesObject[] = [];
    for (const node of nodes) made.push(await this.#create('/api/v1/nodes', node));
    const bound: Pick<Read, 'claims' | 'volumes'> = { claims: [], volumes: [] };
    for (const [index, names] of volumes.entries())
      for (const namespace of NAMESPACES) {
        const { claim, volume } = await this.#bind(claimName(index, namespace), namespace, names);
        bound.claims.push(claim);
        bound.volumes.push(volume);
      }
    await this.#waitForNodes(nodes.length);
    return { nodes: made, ...bound };
  }

  /** Binds a claim to a local volume, as the controller of volumes would. */
  async #bind(name: string, namespace: string, nodes: readonly string[]) {
    const size = { storage: '1Gi' };
    const spec = {
      accessModes: ['ReadWriteOnce'],
      storageClassName: '',
      volumeName: name,
      resources: { requests: size },
    };
    const annotations = { 'pv.kubernetes.io/bind-completed': 'yes' };
    const claims = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
    const head = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name, annotations } };
    const claim = await this.#create(claims, { ...head, spec });
    const volume = await this.#create('/api/v1/persistentvolumes', {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        capacity: size,
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        local: { path: '/data' },
        claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid: claim.metadata['uid'] },
        nodeAffinity: {
          required: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: nodes }] },
            ],
          },
        },
      },
    });
    const patch = 'application/merge-patch+json';
    const status = { status: { phase: 'Bound' } };
    await this.#api.send('PATCH', `/api/v1/persistentvolumes/${name}/status`, status, patch);
    const patched = await this.#api.send('PATCH', `${claims}/${name}/status`, status, patch);
    return { claim: JSON.parse(patched) as KubernetesObject, volume };
  }

  /** Waits until the scheduler counts so many nodes: its message for a pod that fits nowhere has the number. */
  async #waitForNodes(count: number): Promise<void> {
    const [namespace = ''] = NAMESPACES;
    const resources = { requests: { cpu: TOO_MUCH } };
    const until = Date.now() + PATIENCE_MS;
    for (let tries = 0; ; tries += 1) {
      const name = `probe-${String(tries)}`;
      const spec = { containers: [{ name: 'c', image: 'none', resources }], tolerations: [{ operator: 'Exists' }] };
      const verdict = await this.place({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec });
      if (verdict.verdict.node === null && verdict.verdict.nodes === count) return;
      if (Date.now() > until) throw new Error(`the scheduler does not see ${String(count)} nodes`);
      await setTimeout(POLL_MS);
    }
  }

  /** Makes a pod and waits for the scheduler. One that fits nowhere is deleted again, so that no later pod changes that. */
  async place(
    pod: KubernetesObject,
    { isKept = false }: { isKept?: boolean } = {},
  ): Promise<{ object: KubernetesObject; verdict: Verdict }> {
    const { name, namespace } = pod.metadata as { name: string; namespace?: string };
    const list = `/api/v1/namespaces/${namespace ?? ''}/pods`;
    const object = await this.#create(list, pod);
    const until = Date.now() + PATIENCE_MS;
    while (Date.now() < until) {
      const { spec, status } = await this.#get<Pod>(`${list}/${name}`);
      if (spec.nodeName !== undefined) return { object, verdict: { node: spec.nodeName } };
      const condition = status.conditions?.find(({ type, status: is }) => type === 'PodScheduled' && is === 'False');
      if (condition?.reason === 'Unschedulable') {
        if (!isKept) await this.#api.send('DELETE', `${list}/${name}?gracePeriodSeconds=0`);
        return { object, verdict: parseRefusal(condition.message ?? '') };
      }
      await setTimeout(POLL_MS);
    }
    throw new Error(`the scheduler says nothing of ${name}`);
  }

  /** Cordons a node, deletes it with its pods, and waits until the scheduler counts the other nodes. */
  async loseNode(name: string, pods: readonly { namespace: string; name: string }[], others: number): Promise<void> {
    const cordon = { spec: { unschedulable: true } };
    await this.#api.send('PATCH', `/api/v1/nodes/${name}`, cordon, 'application/merge-patch+json');
    for (const pod of pods)
      await this.#api.send('DELETE', `/api/v1/namespaces/${pod.namespace}/pods/${pod.name}?gracePeriodSeconds=0`);
    await this.#api.send('DELETE', `/api/v1/nodes/${name}`);
    await this.#waitForNodes(others);
  }

  /** Returns the pods that have no node, once the scheduler had time to try them again. */
  async stillPending(pods: readonly { namespace: string; name: string }[]): Promise<string[]> {
    await setTimeout(SETTLE_MS);
    const pending: string[] = [];
    for (const { namespace, name } of pods) {
      const { spec } = await this.#get<Pod>(`/api/v1/namespaces/${namespace}/pods/${name}`);
      if (spec.nodeName === undefined) pending.push(name);
    }
    return pending;
  }

  async clear(): Promise<void> {
    for (const namespace of NAMESPACES) {
      await this.#api.send('DELETE', `/api/v1/namespaces/${namespace}/pods?gracePeriodSeconds=0`);
      await this.#api.send('DELETE', `/api/v1/namespaces/${namespace}/persistentvolumeclaims`);
    }
    await this.#api.send('DELETE', '/api/v1/persistentvolumes');
    await this.#api.send('DELETE', '/api/v1/nodes');
  }
}
