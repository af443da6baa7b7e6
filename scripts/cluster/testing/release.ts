import { loadAll } from 'js-yaml';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PRODUCT_REGISTRY } from '../product-images.ts';
import { type Options, capture } from '../shell.ts';

/** The tests run inside the engine's network, with the cluster's KUBECONFIG and tools in the environment. */
export const kubectl = (args: string[], options?: Options): string => capture('kubectl', args, options);
export const helm = (args: string[], options?: Options): string => capture('helm', args, options);

/** Runs a command on a node: in its container, past the API server. */
export const onNode = (node: string, words: string[]): string =>
  capture(process.env.PLIMSOLL_TEST_ENGINE ?? 'docker', ['exec', node, ...words]);

export const CHART = join(import.meta.dirname, '../../../charts/plimsoll');

/** Names the images that `npm run test:cluster` built and loaded, as docs/kubernetes.md does. Prometheus is none of them. */
export const OWN_IMAGES = ['--set', `image.registry=${PRODUCT_REGISTRY},prometheus.enabled=false`];

export interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; annotations?: Record<string, string>; labels?: Record<string, string> };
  spec?: Record<string, unknown>;
  rules?: { apiGroups: string[]; resources: string[]; verbs: string[]; resourceNames?: string[] }[];
}

/** Has the form of a cluster token; no API accepts it. */
export const EXAMPLE_TOKEN = `plm_cluster_${'x'.repeat(43)}`;

/** Sets the one value that has no default. Further files and settings win over it. */
export const REGISTRY = ['-f', join(CHART, 'ci/full-values.yaml')];

/** Renders the chart, hooks included. */
export const render = (args: string[], release = 'plimsoll', namespace = 'plimsoll-system'): KubernetesObject[] =>
  (
    loadAll(
      helm(['template', release, CHART, '--namespace', namespace, ...REGISTRY, ...args]),
    ) as (KubernetesObject | null)[]
  ).filter((object) => object !== null);

/** Files of values in the chart's ci folder, and the options that use one. */
export const scenarios = globSync('*-values.yaml', { cwd: join(CHART, 'ci') }).toSorted();
export const values = (scenario: string): string[] => ['-f', join(CHART, 'ci', scenario)];

/** Finds a workload of the release `plimsoll` by its component. */
export const workload = (objects: KubernetesObject[], name: string) => {
  const found = objects.find(
    ({ kind, metadata }) => ['Deployment', 'DaemonSet'].includes(kind) && metadata.name === `plimsoll-${name}`,
  );
  if (!found) throw new Error(`no workload plimsoll-${name}`);
  return found;
};

/** The pod a workload would make, to show it to the admission of Pod Security, which only warns about workloads. */
export const podOf = (object: KubernetesObject): KubernetesObject => {
  const { template } = object.spec as { template: { metadata: { labels: Record<string, string> }; spec: object } };
  const spec = { ...template.spec, restartPolicy: 'Always', serviceAccountName: 'default' };
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'admission', labels: template.metadata.labels }, spec };
};

/** Objects of the cluster as JSON. */
export const list = <T = KubernetesObject>(args: string[]): T[] =>
  (JSON.parse(kubectl(['get', ...args, '-o', 'json'])) as { items: T[] }).items;

/** Names of the pods that a selector finds. */
export const podNames = (namespace: string, selector: string): string[] =>
  list(['pods', '-n', namespace, '-l', selector]).map(({ metadata }) => metadata.name);

/** Asks until `read` answers something else than null. Throws what it was waiting for. */
export async function until<T>(what: string, seconds: number, read: () => T | null | Promise<T | null>): Promise<T> {
  const deadline = Date.now() + seconds * 1000;
  let last: unknown = null;
  while (Date.now() < deadline) {
    try {
      const found = await read();
      if (found !== null) return found;
    } catch (error) {
      last = error;
    }
    await setTimeout(500);
  }
  throw new Error(`not within ${String(seconds)} s: ${what}`, { cause: last });
}

/** A namespace that goes when the tests are over. */
export function makeNamespace(name: string, podSecurity: 'privileged' | 'baseline' | 'restricted'): void {
  kubectl(['create', 'namespace', name]);
  kubectl(['label', 'namespace', name, `pod-security.kubernetes.io/enforce=${podSecurity}`]);
}
