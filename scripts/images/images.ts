/** One of Plimsoll's images, as the chart names it in `image.*.repository`. */
export interface ProductImage {
  name: string;
  /** Path of its Dockerfile from the root of the repository; `<file>.dockerignore` stands beside it. */
  file: string;
  /** Stage of the Dockerfile. */
  target: string;
  /** npm workspace whose packages it holds. */
  workspace: 'api' | 'collector';
  description: string;
}

const collector = 'collector/Dockerfile';

export const IMAGES: readonly ProductImage[] = [
  {
    name: 'plimsoll-node-agent',
    file: collector,
    target: 'node-agent',
    workspace: 'collector',
    description: 'Collector of one Kubernetes node: figures of the host and of its kubelet',
  },
  {
    name: 'plimsoll-cluster-collector',
    file: collector,
    target: 'cluster-collector',
    workspace: 'collector',
    description: 'Collector of a whole Kubernetes cluster: nodes, pods, workloads and events',
  },
  {
    name: 'plimsoll-api',
    file: 'api/Dockerfile',
    target: 'api',
    workspace: 'api',
    description: 'API, dashboard and embedded PostgreSQL',
  },
  {
    name: 'plimsoll-kits',
    file: 'scripts/agent-build/Dockerfile',
    target: 'kits',
    workspace: 'collector',
    description: 'Install kits of the host collector, which the API serves',
  },
];

/** Throws naming the known images when one is not among them. */
export function imagesNamed(names: readonly string[]): ProductImage[] {
  return names.map((name) => {
    const found = IMAGES.find((image) => image.name === name);
    if (!found) throw new Error(`--image ${name}: unknown. Use ${IMAGES.map((image) => image.name).join(', ')}.`);
    return found;
  });
}
