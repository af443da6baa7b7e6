import { mkdtempSync, rmSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageForRegistry, pushChart } from '../release/chart.ts';
import { type Registry, startRegistry } from '../release/registry.ts';
import { toolPath } from '../release/tools.ts';
import { IMAGES } from '../images/images.ts';
import { PRODUCT_REGISTRY, PRODUCT_TAG } from './product-images.ts';
import { capture } from './shell.ts';
import { ACCOUNT, dashboardAddress, signIn } from './testing/dashboard.ts';
import { NAMESPACE, RELEASE, deploymentsReady, remove } from './testing/install.ts';
import { type KubernetesObject, helm, list, makeNamespace, onNode, until } from './testing/release.ts';

/** A release as a stranger gets it: the chart names the registry, the nodes pull the images, no value names either. */
const PORT = 5000;
let folder: string;
let registry: Registry;
let name: string;
let nodes: string[];

/** Address of this machine on the network of the nodes. */
function gateway(): string {
  const format = '{{range .IPAM.Config}}{{.Gateway}} {{end}}';
  const said = capture(process.env.PLIMSOLL_TEST_ENGINE ?? 'docker', ['network', 'inspect', 'kind', '-f', format]);
  const address = said.split(/\s/).find((word) => isIPv4(word));
  if (address === undefined) throw new Error(`the network of the nodes has no IPv4 gateway: ${said}`);
  return address;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-registry-'));
  const host = `${gateway()}:${String(PORT)}`;
  registry = await startRegistry(toolPath('registry'), host);
  name = `${host}/team`;
  nodes = list(['nodes']).map(({ metadata }) => metadata.name);
  // Without this a node speaks TLS, as it does to every registry but one on localhost.
  const trust = `[host."http://${host}"]\n  capabilities = ["pull", "resolve"]\n`;
  const settings = `/etc/containerd/certs.d/${host}`;
  for (const node of nodes)
    onNode(node, ['sh', '-c', `mkdir -p ${settings} && printf '%s' '${trust}' >${settings}/hosts.toml`]);
  for (const image of IMAGES) {
    const [from, to] = [PRODUCT_REGISTRY, name].map((where) => `${where}/${image.name}:${PRODUCT_TAG}`);
    onNode(nodes[0] ?? '', ['ctr', '-n', 'k8s.io', 'images', 'push', '--plain-http', to ?? '', from ?? '']);
  }
  pushChart(await packageForRegistry(name, folder), name, true);
  makeNamespace(NAMESPACE, 'privileged');
});

afterAll(async () => {
  await (registry as Registry | undefined)?.stop();
  rmSync(folder, { recursive: true });
  remove();
  for (const node of nodes) {
    onNode(node, ['rm', '-r', `/etc/containerd/certs.d/${name.split('/')[0] ?? ''}`]);
    for (const image of IMAGES)
      onNode(node, ['ctr', '-n', 'k8s.io', 'images', 'rm', `${name}/${image.name}:${PRODUCT_TAG}`]);
  }
});

interface Pod extends KubernetesObject {
  spec: { nodeName: string; containers: { image: string }[]; initContainers?: { image: string }[] };
}
interface Event extends KubernetesObject {
  reason: string;
  message: string;
}

test('helm install oci://REGISTRY installs from the registry, and both nodes pull from it', async () => {
  const account = `api.service.type=NodePort,api.admin.email=${ACCOUNT.email},api.admin.password=${ACCOUNT.password}`;
  const chart = [`oci://${name}/charts/plimsoll`, '--version', PRODUCT_TAG, '--plain-http'];
  helm(['install', RELEASE, ...chart, '-n', NAMESPACE, '--set', `${account},prometheus.enabled=false`]);
  deploymentsReady();
  const dashboard = await signIn(dashboardAddress(NAMESPACE));
  await until('both nodes on the dashboard', 60, async () => {
    const seen = await dashboard.get<{ total_nodes: number }>('/api/kubernetes/cluster/overview');
    return seen.total_nodes === 2 ? seen : null;
  });
  const pods = list<Pod>(['pods', '-n', NAMESPACE, '-l', 'app.kubernetes.io/name=plimsoll']);
  const wanted = pods.flatMap(({ spec }) =>
    [...(spec.initContainers ?? []), ...spec.containers].map(({ image }) => image),
  );
  expect(wanted.length).toBeGreaterThanOrEqual(5);
  for (const image of wanted) expect(image).toMatch(new RegExp(`^${name}/plimsoll-[a-z-]+:${PRODUCT_TAG}$`));
  const pulled = list<Event>(['events', '-n', NAMESPACE]).flatMap(
    ({ message }) => /^Successfully pulled image "([^"]+)"/.exec(message)?.[1] ?? [],
  );
  expect(new Set(pulled)).toEqual(new Set(wanted));
});
