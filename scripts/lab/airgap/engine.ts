import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../../cluster/engine.ts';
import { runFolder } from '../../cluster/places.ts';
import { say, show, step } from '../../cluster/shell.ts';
import { buildImage, pushImage } from './build-image.ts';
import { compile } from './compile.ts';
import { type Sysctls, installPackages, readSysctls, requireDebianRoot, restoreSysctls } from './host.ts';
import { ADD_ON_IMAGES, NODE_IMAGES, PROMETHEUS_IMAGE, compilePause, writeImages } from './images.ts';
import { type Places, places } from './places.ts';
import {
  KUBERNETES_VERSION,
  KUBE_STATE_METRICS_VERSION,
  LOCAL_PATH_VERSION,
  METRICS_SERVER_VERSION,
  clientTools,
  clusterTools,
} from './tools.ts';

const NODE_IMAGE = `kindest/node:${KUBERNETES_VERSION}-own`;
/** Network namespace and cgroup of the engine. */
const NAME = 'plimsoll-cluster';
const folder = import.meta.dirname;
const script = (name: string) => join(folder, 'own-engine', name);

/** Returns true while an engine of this folder runs. */
export const isAirgapUp = (): boolean => existsSync(join(runFolder(process.env), 'engine.pid'));

/** Returns an engine in its own namespaces, with tools and images built from source. */
export function airgapEngine(): Engine {
  const at = places(process.env);
  const env = {
    RUN: at.run,
    ROOTS: at.roots,
    NAME,
    DOCKER_HOST: `unix://${at.run}/docker.sock`,
    PATH: [at.bin, `${at.roots}/engine/usr/bin`, `${at.roots}/engine/usr/sbin`, process.env.PATH].join(':'),
  };
  return {
    program: 'docker',
    nodeImage: NODE_IMAGE,
    kindConfig: script('kind.yaml'),
    env,
    images: {
      metricsServer: `localhost/metrics-server:${METRICS_SERVER_VERSION}`,
      kubeStateMetrics: `localhost/kube-state-metrics:${KUBE_STATE_METRICS_VERSION}`,
      prometheus: PROMETHEUS_IMAGE,
      busybox: 'localhost/busybox:local',
    },
    inside: (command, args) => ['nsenter', [`--net=/run/netns/${NAME}`, command, ...args]],
    bringTools: async () => {
      requireDebianRoot();
      await compile([...clientTools, ...clusterTools], join(folder, 'tools'), at.bin);
    },
    start: () => start(at, env),
    addOnArchives: () => writeImages(ADD_ON_IMAGES, at.images, imageSources(at)),
    buildImage: (build, archive) => buildImage(at, build, archive),
    platforms: ['linux/amd64', 'linux/arm64'],
    pushImage: (build) => pushImage(at, build),
    stop: () => stop(at, env),
  };
}

const savedSysctls = (at: Places) => join(at.run, 'sysctls.json');

async function start(at: Places, env: Engine['env']): Promise<void> {
  await installPackages();
  mkdirSync(at.run, { recursive: true });
  writeFileSync(savedSysctls(at), JSON.stringify(readSysctls()));
  await step('Debian roots', () => show('bash', [script('roots.sh')], { env }));
  await step('engine', () => show('bash', [script('engine.sh'), 'start'], { env }));
  const saved = join(at.images, 'node-image.tar.zst');
  if (existsSync(saved))
    await step('node image', () =>
      show('bash', ['-c', 'set -o pipefail; zstd -dcq "$0" | docker load -q', saved], { env }),
    );
  else await step('making the node image', () => makeNodeImage(at, env, saved));
}

async function makeNodeImage(at: Places, env: Engine['env'], saved: string): Promise<void> {
  const archives = writeImages(NODE_IMAGES, at.images, imageSources(at));
  await show('bash', [script('node-image.sh'), ...archives], {
    env: {
      ...env,
      BIN: at.bin,
      OUT: saved,
      IMAGE: NODE_IMAGE,
      VERSION: KUBERNETES_VERSION,
      STORAGE_VERSION: LOCAL_PATH_VERSION,
      TOOLS: join(folder, 'tools'),
      NETWORK: join(folder, 'manifests/node-network.yaml'),
    },
  });
}

/** Returns the paths of everything that `writeImages` puts into images. */
const imageSources = (at: Places) => ({
  bin: at.bin,
  busybox: join(at.roots, 'busybox/bin/busybox'),
  helper: join(at.roots, 'busybox'),
  xtables: join(at.roots, 'xtables'),
  pause: compilePause(at.images),
});

/** Ends the engine and everything in it, and restores the machine's kernel settings. */
async function stop(at: Places, env: Engine['env']): Promise<void> {
  const saved: Sysctls = existsSync(savedSysctls(at))
    ? (JSON.parse(readFileSync(savedSysctls(at), 'utf8')) as Sysctls)
    : {};
  await show('bash', [script('engine.sh'), 'stop'], { env });
  const changed = restoreSysctls(saved);
  if (changed.length > 0) say(`restored ${changed.join(', ')}`);
}
