import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Places } from '../airgap/cache.ts';
import { type Engine, imageSources } from '../airgap/engine.ts';
import { ADD_ON_IMAGES, PROMETHEUS_IMAGE, writeImages } from '../airgap/images.ts';
import { CommandError, type Options, capture, show, step } from './shell.ts';
import { KUBE_STATE_METRICS_VERSION, METRICS_SERVER_VERSION, PROMETHEUS_VERSION } from '../airgap/tools.ts';

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

export function connect(engine: Engine, at: Places): Cluster {
  const env = {
    ...engine.env,
    KUBECONFIG: join(at.run, 'kubeconfig'),
    KUBECACHEDIR: join(at.run, 'kubecache'),
    HELM_CACHE_HOME: join(at.run, 'helm/cache'),
    HELM_CONFIG_HOME: join(at.run, 'helm/config'),
    HELM_DATA_HOME: join(at.run, 'helm/data'),
    // What the tests' own pods run.
    PLIMSOLL_TEST_IMAGE: engine.own ? 'localhost/busybox:local' : 'docker.io/library/busybox:1.37',
    PLIMSOLL_TEST_PROMETHEUS: engine.own ? PROMETHEUS_IMAGE : `quay.io/prometheus/prometheus:${PROMETHEUS_VERSION}`,
    PLIMSOLL_TEST_KUBE_STATE_METRICS: (engine.own ? OWN_ADD_ONS : HOSTED_ADD_ONS).KUBE_STATE_METRICS_IMAGE,
  };
  const tool =
    (name: string) =>
    (args: string[], options: Options = {}) => {
      const [command, all] = engine.inside(join(at.bin, name), args);
      return capture(command, all, { ...options, env: { ...env, ...options.env } });
    };
  return {
    env,
    kubectl: tool('kubectl'),
    helm: tool('helm'),
    kind: (args) => {
      const [command, all] = engine.inside(join(at.bin, 'kind'), args);
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

/** Signs the serving certificate each kubelet asked for: kubeadm leaves that to the operator. */
export async function approveKubelets(cluster: Cluster): Promise<void> {
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

const HOSTED_ADD_ONS = {
  METRICS_SERVER_IMAGE: `registry.k8s.io/metrics-server/metrics-server:${METRICS_SERVER_VERSION}`,
  KUBE_STATE_METRICS_IMAGE: `registry.k8s.io/kube-state-metrics/kube-state-metrics:${KUBE_STATE_METRICS_VERSION}`,
};
const OWN_ADD_ONS = {
  METRICS_SERVER_IMAGE: `localhost/metrics-server:${METRICS_SERVER_VERSION}`,
  KUBE_STATE_METRICS_IMAGE: `localhost/kube-state-metrics:${KUBE_STATE_METRICS_VERSION}`,
};

/** metrics-server and kube-state-metrics, until they answer. */
export async function installAddOns(cluster: Cluster, engine: Engine, at: Places): Promise<void> {
  if (engine.own)
    for (const archive of writeImages(ADD_ON_IMAGES, at.images, imageSources(at))) await loadArchive(cluster, archive);
  for (const name of ['metrics-server', 'kube-state-metrics']) {
    let manifest = readFileSync(join(folder, 'manifests', `${name}.yaml`), 'utf8');
    for (const [word, image] of Object.entries(engine.own ? OWN_ADD_ONS : HOSTED_ADD_ONS))
      manifest = manifest.replaceAll(word, image);
    cluster.kubectl(['apply', '-f', '-'], { input: manifest });
  }
  for (const name of ['coredns', 'metrics-server', 'kube-state-metrics'])
    cluster.kubectl(['-n', 'kube-system', 'rollout', 'status', `deployment/${name}`, '--timeout=180s']);
}

/** What an operator would look at when something does not come up. */
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

export function prepareRun(at: Places): void {
  mkdirSync(join(at.run, 'helm'), { recursive: true });
}
