import { kubectl, list } from './release.ts';

/**
 * A Prometheus as an operator has one: the kubelets' cAdvisor and kube-state-metrics, every five seconds. Its targets are
 * fixed: it may read the kubelets and nothing else.
 */
const configuration = (kubelets: { name: string; address: string }[]): string => `
global: { scrape_interval: 5s }
scrape_configs:
  - job_name: kube-state-metrics
    honor_labels: true
    static_configs: [{ targets: ['kube-state-metrics.kube-system.svc:8080'] }]
  - job_name: cadvisor
    scheme: https
    metrics_path: /metrics/cadvisor
    bearer_token_file: /var/run/secrets/kubernetes.io/serviceaccount/token
    tls_config: { ca_file: /var/run/secrets/kubernetes.io/serviceaccount/ca.crt }
    static_configs:
${kubelets.map(({ name, address }) => `      - { targets: ['${address}:10250'], labels: { node: ${name} } }`).join('\n')}
`;

interface Node {
  metadata: { name: string };
  status: { addresses: { type: string; address: string }[] };
}

/** Starts it in a namespace and waits until it is ready. Its Service is `prometheus`, port 9090. */
export function startPrometheus(namespace: string, image: string): void {
  const kubelets = list<Node>(['nodes']).map(({ metadata, status }) => ({
    name: metadata.name,
    address: status.addresses.find(({ type }) => type === 'InternalIP')?.address ?? '',
  }));
  const metadata = { name: 'prometheus', namespace };
  const labels = { app: 'prometheus' };
  const role = { name: `${namespace}-prometheus` };
  const rbac = 'rbac.authorization.k8s.io';
  const items = [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: role,
      rules: [{ apiGroups: [''], resources: ['nodes/metrics'], verbs: ['get'] }],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: role,
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', ...role },
      subjects: [{ kind: 'ServiceAccount', ...metadata }],
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'prometheus.yml': configuration(kubelets) } },
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: labels, ports: [{ port: 9090 }] } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podOf(image) } },
    },
  ];
  kubectl(['apply', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) });
  kubectl(['-n', namespace, 'rollout', 'status', 'deployment/prometheus', '--timeout=120s']);
}

/** Removes what the namespace does not take with it. */
export const removePrometheus = (namespace: string): string =>
  kubectl(['delete', 'clusterrole,clusterrolebinding', `${namespace}-prometheus`, '--ignore-not-found']);

const podOf = (image: string) => ({
  serviceAccountName: 'prometheus',
  securityContext: { runAsUser: 65_534, runAsNonRoot: true },
  containers: [
    {
      name: 'prometheus',
      image,
      imagePullPolicy: 'IfNotPresent',
      args: ['--config.file=/etc/prometheus/prometheus.yml', '--storage.tsdb.path=/prometheus'],
      readinessProbe: { httpGet: { path: '/-/ready', port: 9090 }, periodSeconds: 1 },
      volumeMounts: [
        { name: 'configuration', mountPath: '/etc/prometheus' },
        { name: 'storage', mountPath: '/prometheus' },
      ],
    },
  ],
  volumes: [
    { name: 'configuration', configMap: { name: 'prometheus' } },
    { name: 'storage', emptyDir: {} },
  ],
});
