import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from './cache.ts';
import { compile } from './compile.ts';
import { type Sysctls, readSysctls, requirePackages, restoreSysctls } from './host.ts';
import { NODE_IMAGES, compilePause, writeImages } from './images.ts';
import { capture, say, show, step, succeeds } from '../cluster/shell.ts';
import { KUBERNETES_VERSION, LOCAL_PATH_VERSION, clientTools, clusterTools } from './tools.ts';

/** kind's own node image, for machines with a Docker engine and a registry; PLIMSOLL_NODE_IMAGE sets another. */
export const HOSTED_NODE_IMAGE = 'kindest/node:v1.34.0';
const OWN_NODE_IMAGE = `kindest/node:${KUBERNETES_VERSION}-own`;
/** Network namespace and cgroup of the own engine. */
const ENGINE_NAME = 'plimsoll-cluster';

/** How commands reach the engine and, through it, the cluster. */
export interface Engine {
  own: boolean;
  nodeImage: string;
  kindConfig: string;
  env: Record<string, string>;
  /** The command itself, or the way into the network namespace the cluster's addresses are valid in. */
  inside(command: string, args: string[]): [string, string[]];
}

const folder = import.meta.dirname;

export function ownEngine(at: Places): Engine {
  return {
    own: true,
    nodeImage: OWN_NODE_IMAGE,
    kindConfig: join(folder, 'own-engine/kind.yaml'),
    env: {
      RUN: at.run,
      ROOTS: at.roots,
      NAME: ENGINE_NAME,
      DOCKER_HOST: `unix://${at.run}/docker.sock`,
      PATH: [at.bin, `${at.roots}/engine/usr/bin`, `${at.roots}/engine/usr/sbin`, process.env.PATH].join(':'),
    },
    inside: (command, args) => ['nsenter', [`--net=/run/netns/${ENGINE_NAME}`, command, ...args]],
  };
}

function hostedEngine(at: Places, nodeImage: string): Engine {
  return {
    own: false,
    nodeImage,
    kindConfig: join(folder, '../cluster/kind.yaml'),
    env: { PATH: [at.bin, process.env.PATH].join(':') },
    inside: (command, args) => [command, args],
  };
}

const canPull = (image: string) =>
  succeeds('docker', ['image', 'inspect', image]) || succeeds('docker', ['pull', '-q', image]);

/** The machine's own Docker when it can get kind's node image, else one we bring. */
export function chooseEngine(at: Places): Engine {
  const image = process.env.PLIMSOLL_NODE_IMAGE ?? HOSTED_NODE_IMAGE;
  if (succeeds('docker', ['info']) && canPull(image)) return hostedEngine(at, image);
  say('no Docker engine with a registry: using an own engine. Stand-ins in it: a node image made here of Debian');
  say(
    `and Kubernetes ${KUBERNETES_VERSION} compiled here, Debian's containerd and runc, and routes instead of kindnet`,
  );
  return ownEngine(at);
}

/** Compiles what `engine` needs and the cache does not hold. */
export const compileTools = (engine: Engine, at: Places): Promise<void> =>
  compile(engine.own ? [...clientTools, ...clusterTools] : clientTools, folder, at.bin);

const savedSysctls = (at: Places) => join(at.run, 'sysctls.json');

/** Compiles, unpacks and starts what `engine` needs. After this `kind create cluster` works. */
export async function startEngine(engine: Engine, at: Places): Promise<void> {
  if (engine.own) await requirePackages();
  await compileTools(engine, at);
  mkdirSync(at.run, { recursive: true });
  writeFileSync(savedSysctls(at), JSON.stringify(readSysctls()));
  if (!engine.own) return;
  await step('Debian roots', () => show('bash', [join(folder, 'own-engine/roots.sh')], { env: engine.env }));
  await step('engine', () => show('bash', [join(folder, 'own-engine/engine.sh'), 'start'], { env: engine.env }));
  const saved = join(at.images, 'node-image.tar.zst');
  if (existsSync(saved))
    await step('node image', () =>
      show('bash', ['-c', 'set -o pipefail; zstd -dcq "$0" | docker load -q', saved], { env: engine.env }),
    );
  else await step('making the node image', () => makeNodeImage(engine, at, saved));
}

async function makeNodeImage(engine: Engine, at: Places, saved: string): Promise<void> {
  const archives = writeImages(NODE_IMAGES, at.images, imageSources(at));
  await show('bash', [join(folder, 'own-engine/node-image.sh'), ...archives], {
    env: {
      ...engine.env,
      BIN: at.bin,
      OUT: saved,
      IMAGE: engine.nodeImage,
      VERSION: KUBERNETES_VERSION,
      STORAGE_VERSION: LOCAL_PATH_VERSION,
      TOOLS: join(folder, 'tools'),
      NETWORK: join(folder, 'manifests/node-network.yaml'),
    },
  });
}

/** Where `writeImages` finds what it puts into images. */
export function imageSources(at: Places) {
  return {
    bin: at.bin,
    busybox: join(at.roots, 'busybox/bin/busybox'),
    helper: join(at.roots, 'busybox'),
    xtables: join(at.roots, 'xtables'),
    pause: compilePause(at.images),
  };
}

/** Ends the own engine and everything in it, and gives the machine its settings back. */
export async function stopEngine(engine: Engine, at: Places): Promise<void> {
  const saved: Sysctls = existsSync(savedSysctls(at))
    ? (JSON.parse(readFileSync(savedSysctls(at), 'utf8')) as Sysctls)
    : {};
  if (engine.own) await show('bash', [join(folder, 'own-engine/engine.sh'), 'stop'], { env: engine.env });
  else capture('rm', ['-rf', at.run]);
  if (process.getuid?.() !== 0) return;
  const changed = restoreSysctls(saved);
  if (changed.length > 0) say(`restored ${changed.join(', ')}`);
}
