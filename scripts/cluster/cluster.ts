import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import { runFolder } from './places.ts';
import { CommandError, type Options, capture, show, step } from './shell.ts';

export const CLUSTER_NAME = 'plimsoll';
const folder = import.meta.dirname;

/** A cluster one can talk to. */
export interface Cluster {
  /** Variables under which kubectl and helm find the cluster and keep their caches out of the home folder. */
  env: Record<string, string>;
  kubectl(args: string[], options?: Options): string;
  helm(args: string[], options?: Options): string;
  /** Runs `kind …` on the engine. */
  kind(args: string[]): Promise<void>;
}

export function connect(engine: Engine): Cluster {
  const run = runFolder(process.env);
  const env = {
    ...engine.env,
    KUBECONFIG: join(run, 'kubeconfig'),
    KUBECACHEDIR: join(run, 'kubecache'),
    HELM_CACHE_HOME: join(run, 'helm/cache'),
    HELM_CONFIG_HOME: join(run, 'helm/config'),
    HELM_DATA_HOME: join(run, 'helm/data'),
    // The engine and the images of the tests' own pods.
    PLIMSOLL_TEST_ENGINE: engine.program,
    PLIMSOLL_TEST_IMAGE: engine.images.busybox,
    PLIMSOLL_TEST_PROMETHEUS: engine.images.prometheus,
    PLIMSOLL_TEST_KUBE_STATE_METRICS: engine.images.kubeStateMetrics,
  };
  const tool =
    (name: string) =>
    (args: string[], options: Options = {}) => {
      const [command, all] = engine.inside(name, args);
      return capture(command, all, { ...options, env: { ...env, ...options.env } });
    };
  return {
    env,
    kubectl: tool('kubectl'),
    helm: tool('helm'),
    kind: (args) => {
      const [command, all] = engine.inside('kind', args);
      return show(command, all, { env });
    },
  };
}

export async function createCluster(cluster: Cluster, engine: Engine): Promise<void> {
  const args = ['create', 'cluster', '--name', CLUSTER_NAME, '--image', engine.nodeImage];
  await step('kind create cluster', () => cluster.kind([...args, '--config', engine.kindConfig, '--wait', '180s']));
  await step('certificates of the kubelets', () => approveKubelets(cluster));
}

interface CertificateRequests {
  items: {
    metadata: { name: string };
    spec: { signerName: string; username: string };
    status: { conditions?: unknown[] };
  }[];
}

/** Signs each kubelet's requested serving certificate: kubeadm leaves that to the operator. */
async function approveKubelets(cluster: Cluster): Promise<void> {
  const nodes = cluster.kubectl(['get', 'nodes', '-o', 'name']).trim().split('\n').length;
  const deadline = Date.now() + 120_000;
  const approved = new Set<string>();
  while (approved.size < nodes) {
    if (Date.now() > deadline)
      throw new Error(`${String(nodes)} kubelets, certificates of ${[...approved].join(', ')}`);
    const { items } = JSON.parse(cluster.kubectl(['get', 'csr', '-o', 'json'])) as CertificateRequests;
    for (const { metadata, spec, status } of items) {
      if (spec.signerName !== 'kubernetes.io/kubelet-serving') continue;
      if (!status.conditions) cluster.kubectl(['certificate', 'approve', metadata.name]);
      approved.add(spec.username);
    }
    await setTimeout(500);
  }
}

/** Copies an image archive to every node. */
export const loadArchive = (cluster: Cluster, archive: string): Promise<void> =>
  cluster.kind(['load', 'image-archive', archive, '--name', CLUSTER_NAME]);

/** Installs metrics-server and kube-state-metrics and waits until both are ready. */
export async function installAddOns(cluster: Cluster, engine: Engine): Promise<void> {
  for (const archive of engine.addOnArchives()) await loadArchive(cluster, archive);
  for (const name of ['metrics-server', 'kube-state-metrics']) {
    const manifest = readFileSync(join(folder, 'manifests', `${name}.yaml`), 'utf8')
      .replaceAll('METRICS_SERVER_IMAGE', engine.images.metricsServer)
      .replaceAll('KUBE_STATE_METRICS_IMAGE', engine.images.kubeStateMetrics);
    cluster.kubectl(['apply', '-f', '-'], { input: manifest });
  }
  for (const name of ['coredns', 'metrics-server', 'kube-state-metrics'])
    cluster.kubectl(['-n', 'kube-system', 'rollout', 'status', `deployment/${name}`, '--timeout=180s']);
}

/** Returns the pods and the events of the cluster, for a failed run. */
export function describe(cluster: Cluster): string {
  const questions = [
    ['get', 'pods', '-A', '-o', 'wide'],
    ['get', 'events', '-A', '--sort-by=.lastTimestamp'],
  ];
  return questions
    .map((args) => {
      try {
        return cluster.kubectl(args, { timeout: 20 }).split('\n').slice(-60).join('\n');
      } catch (error) {
        return error instanceof CommandError ? error.message : String(error);
      }
    })
    .join('\n');
}
