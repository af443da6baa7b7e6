import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, loadArchive } from '../../../cluster/cluster.ts';
import type { Engine } from '../../../cluster/engine.ts';
import { PRODUCT_REGISTRY } from '../../../cluster/product-images.ts';
import { capture, say, step } from '../../../cluster/shell.ts';
import type { ProductImage } from '../../../images/images.ts';
import { ROOT } from '../../../lib/web-build.ts';
import { isAirgapUp } from '../../airgap/engine.ts';
import { runCommand } from '../command.ts';
import { type Installation, shortenRules, startInstallation } from '../installation.ts';
import { SHOP_IMAGE, SHOP_TAGS } from './manifests.ts';
import { closeAllShops, kubectl } from './shop.ts';

const NAMESPACE = 'plimsoll-system';
const PORT = 18_420;
/** The longest wait for the first report of the cluster. */
const REPORT_MINUTES = 4;

const SHOP: ProductImage = {
  name: 'shop',
  file: 'scripts/lab/incidents/shop/Containerfile',
  target: 'shop',
  workspace: 'collector',
  description: 'Shop that the incident lab breaks',
};

/** Builds the image of the shop and copies it to the nodes under both tags. */
export async function loadShopImage(cluster: Cluster, engine: Engine, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, 'shop.tar');
  rmSync(archive, { force: true });
  const [reference, second] = SHOP_TAGS.map((tag) => `${SHOP_IMAGE}:${tag}`);
  if (reference === undefined || second === undefined) throw new Error('the shop has two tags');
  const build = { image: SHOP, reference, platforms: [], labels: {}, arguments: {}, push: false } as const;
  await step(`building ${reference}`, () => engine.buildImage(build, archive));
  await step(`loading ${reference}`, () => loadArchive(cluster, archive));
  rmSync(archive);
  const nodes = cluster.kubectl(['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}']).trim().split(' ');
  const tag = ['ctr', '-n', 'k8s.io', 'images', 'tag', '--force', reference, second];
  for (const node of nodes) capture(...engine.inside(engine.program, ['exec', node, ...tag]), { env: cluster.env });
}

/** Returns the IPv4 address under which containers of kind's network reach the engine's side of it. */
function gateway(program: string): string {
  const text = capture(program, ['network', 'inspect', 'kind']);
  const address = /"gateway":\s*"(\d+\.\d+\.\d+\.\d+)"/i.exec(text)?.[1];
  if (address === undefined) throw new Error(`${program} network inspect kind names no IPv4 gateway`);
  return address;
}

interface NodeList {
  items: {
    metadata: { name: string };
    spec: { podCIDRs?: string[] };
    status: { addresses: { type: string; address: string }[] };
  }[];
}

const IPV4 = /^\d+\.\d+\.\d+\.\d+/;

async function readNodes(): Promise<{ name: string; address: string; pods: string[] }[]> {
  const { items } = JSON.parse(await kubectl(['get', 'nodes', '-o', 'json'])) as NodeList;
  return items.map(({ metadata, spec, status }) => ({
    name: metadata.name,
    address: status.addresses.find(({ type, address }) => type === 'InternalIP' && IPV4.test(address))?.address ?? '',
    pods: (spec.podCIDRs ?? []).filter((range) => IPV4.test(range)),
  }));
}

export interface ClusterLab {
  installation: Installation;
  /** Address of a node, at which the fronts answer. */
  nodeAddress: string;
  /** Returns a number that no earlier shop had. */
  nextNumber(): number;
}

/** Starts the API beside the cluster and the collectors in it. Runs where the addresses of the cluster lead. */
export async function startClusterLab(program: string, folder: string, app: string): Promise<ClusterLab> {
  await closeAllShops();
  const nodes = await readNodes();
  // The stand-in for the pod network does not hide pods behind their node, so the way back must be known here.
  if (isAirgapUp())
    for (const { address, pods } of nodes)
      for (const range of pods) await runCommand('ip', ['route', 'replace', range, 'via', address]);
  const host = gateway(program);
  const place = { app, host, port: PORT, folder, checkNetworks: host.replace(/\.\d+\.\d+$/, '.0.0/16') };
  const installation = await step('the API', () => startInstallation(place));
  try {
    await installCollectors(installation, folder);
    say(`${String(await shortenRules(installation))} rules wait a sixth`);
    await untilReported(installation);
  } catch (error) {
    await installation.stop();
    throw error;
  }
  const worker = nodes.find(({ name }) => name.endsWith('-worker')) ?? nodes[0];
  return { installation, nodeAddress: worker?.address ?? host, nextNumber: () => nextNumber(folder) };
}

/** Installs the chart without an API, once for each installation. */
async function installCollectors(installation: Installation, folder: string): Promise<void> {
  const stamp = join(folder, 'collectors-installed');
  if (existsSync(stamp)) return;
  const body = { name: 'incident lab' };
  const { token } = await installation.post<{ token: string }>('/api/user/cluster-tokens', body);
  const values = [
    `image.registry=${PRODUCT_REGISTRY}`,
    'api.enabled=false,prometheus.enabled=false,allowHttp=true,clusterName=lab',
    `endpoint=${installation.url},token.value=${token}`,
    'clusterCollector.podLogs=true,clusterCollector.changes.configMaps=true',
  ].join(',');
  const chart = join(ROOT, 'charts/plimsoll');
  const release = ['upgrade', '--install', 'plimsoll', chart, '-n', NAMESPACE, '--create-namespace'];
  await step('helm install', () =>
    runCommand('helm', [...release, '--set', values, '--wait', '--timeout', '180s'], '', 200),
  );
  writeFileSync(stamp, '');
}

/** Waits until the collectors have reported to this installation. */
async function untilReported(installation: Installation): Promise<void> {
  const deadline = Date.now() + REPORT_MINUTES * 60_000;
  const isThere = async () => {
    const answer = await installation.get<{ total: number }>('/api/kubernetes/nodes?limit=10');
    return (answer?.total ?? 0) >= 2;
  };
  while (!(await isThere())) {
    if (Date.now() > deadline) throw new Error(`no report of both nodes in ${String(REPORT_MINUTES)} minutes`);
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
}

/** Numbers have three digits, so that no name of a shop begins another. */
function nextNumber(folder: string): number {
  const file = join(folder, 'last-shop');
  const last = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 100;
  writeFileSync(file, String(last + 1));
  return last + 1;
}
