/** A Go module under tools/ and what `go build` makes of it. Versions are pinned there, in go.mod and go.sum. */
export interface Tool {
  module: string;
  /** Package → name of the binary it becomes. */
  binaries: Record<string, string>;
  /** Linker values: without them the binary calls itself v0.0.0. */
  versions?: Record<string, string>;
}

/** The Kubernetes release the cluster runs where we build it ourselves. */
export const KUBERNETES_VERSION = 'v1.34.4';
export const ETCD_VERSION = '3.6.16';
export const COREDNS_VERSION = 'v1.14.3';
export const LOCAL_PATH_VERSION = 'v0.0.30';
export const METRICS_SERVER_VERSION = 'v0.9.0';
export const KUBE_STATE_METRICS_VERSION = 'v2.18.0';
/** Its Go module counts v3.5 as v0.305. */
export const PROMETHEUS_VERSION = 'v3.5.0';

function kubernetesVersions(): Record<string, string> {
  const [major = '', minor = ''] = KUBERNETES_VERSION.slice(1).split('.');
  const values = {
    gitVersion: KUBERNETES_VERSION,
    gitMajor: major,
    gitMinor: minor,
    gitTreeState: 'clean',
    buildDate: '2026-01-01T00:00:00Z',
  };
  const rooms = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  return Object.fromEntries(
    rooms.flatMap((room) => Object.entries(values).map(([name, value]) => [`${room}.${name}`, value])),
  );
}

const kubernetes = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`k8s.io/kubernetes/cmd/${name}`, name]));

/** Tools that drive any cluster. */
export const clientTools: Tool[] = [
  { module: 'kind', binaries: { 'sigs.k8s.io/kind': 'kind' } },
  { module: 'helm', binaries: { 'helm.sh/helm/v4/cmd/helm': 'helm' } },
  { module: 'kubernetes', binaries: kubernetes('kubectl'), versions: kubernetesVersions() },
];

/** Further tools that make a node image and its add-ons without a registry. The longest build first. */
export const clusterTools: Tool[] = [
  {
    module: 'kubernetes',
    binaries: kubernetes(
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'kube-proxy',
      'kubelet',
      'kubeadm',
    ),
    versions: kubernetesVersions(),
  },
  { module: 'etcd', binaries: { 'go.etcd.io/etcd/server/v3': 'etcd' } },
  { module: 'coredns', binaries: { 'github.com/coredns/coredns': 'coredns' } },
  {
    module: 'local-path-provisioner',
    binaries: { 'github.com/rancher/local-path-provisioner': 'local-path-provisioner' },
  },
  {
    module: 'metrics-server',
    binaries: { 'sigs.k8s.io/metrics-server/cmd/metrics-server': 'metrics-server' },
    versions: { 'k8s.io/component-base/version.gitVersion': METRICS_SERVER_VERSION },
  },
  { module: 'kube-state-metrics', binaries: { 'k8s.io/kube-state-metrics/v2': 'kube-state-metrics' } },
  {
    module: 'prometheus',
    binaries: {
      'github.com/prometheus/prometheus/cmd/prometheus': 'prometheus',
      'github.com/prometheus/prometheus/cmd/promtool': 'promtool',
    },
    versions: { 'github.com/prometheus/common/version.Version': PROMETHEUS_VERSION.slice(1) },
  },
];
