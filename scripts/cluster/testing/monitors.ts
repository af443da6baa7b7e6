import { type KubernetesObject, kubectl, list } from './release.ts';

interface Endpoint {
  port: string;
  path: string;
}
interface MonitorSpec {
  selector: { matchLabels: Record<string, string> };
  endpoints?: Endpoint[];
  podMetricsEndpoints?: Endpoint[];
}
export interface Pod extends KubernetesObject {
  spec: { containers: { ports?: { name: string; containerPort: number }[] }[] };
}

/** Returns the metrics that a ServiceMonitor or PodMonitor selects: a text per Service or pod. */
export function scrape({ kind, spec }: KubernetesObject, namespace: string): string[] {
  const { selector, endpoints, podMetricsEndpoints } = spec as unknown as MonitorSpec;
  const labels = Object.entries(selector.matchLabels).map(([name, value]) => `${name}=${value}`);
  const found = ['-n', namespace, '-l', labels.join(',')];
  const read = (place: string, path: string) =>
    kubectl(['get', '--raw', `/api/v1/namespaces/${namespace}/${place}/proxy${path}`]);
  if (kind === 'ServiceMonitor')
    return list(['services', ...found]).flatMap(({ metadata }) =>
      (endpoints ?? []).map(({ port, path }) => read(`services/${metadata.name}:${port}`, path)),
    );
  return list<Pod>(['pods', ...found]).flatMap((pod) =>
    (podMetricsEndpoints ?? []).map(({ port, path }) => read(`pods/${pod.metadata.name}:${portOf(pod, port)}`, path)),
  );
}

/** The number behind a port's name, as monitors and network policies use it. Throws when no container has it. */
export function portOf({ spec }: Pod, name: string): number {
  const port = spec.containers.flatMap(({ ports }) => ports ?? []).find((one) => one.name === name);
  if (!port) throw new Error(`no container has a port called ${name}`);
  return port.containerPort;
}

/** Prometheus' own judge, in a pod. Throws what it says when it does not accept `input`. */
export function promtool(namespace: string, words: string[], input: string): string {
  const image = process.env.PLIMSOLL_TEST_PROMETHEUS ?? '';
  const pod = ['run', 'promtool', '-n', namespace, '--rm', '-i', '--quiet', '--restart=Never', `--image=${image}`];
  return kubectl([...pod, '--image-pull-policy=IfNotPresent', '--command', '--', '/bin/promtool', ...words], { input });
}
