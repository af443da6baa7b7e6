import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Places } from '../airgap/cache.ts';
import { type Cluster, loadArchive } from './cluster.ts';
import type { Engine } from '../airgap/engine.ts';
import { capture, show, step } from './shell.ts';

/** The images of the chart, and the tag they get here. */
export const PRODUCT_IMAGES = { collector: 'plimsoll/collector', api: 'plimsoll/api' } as const;
export const PRODUCT_TAG = 'test';

const root = join(import.meta.dirname, '../..');

/** Builds the images (`only`: one of them) from the product's own Dockerfiles and copies them to the nodes. */
export async function loadProductImages(cluster: Cluster, engine: Engine, at: Places, only?: string): Promise<void> {
  if (engine.own) await makeBases(at);
  for (const [room, name] of Object.entries(PRODUCT_IMAGES)) {
    if (only !== undefined && only !== room) continue;
    const archive = join(at.run, `${room}.tar`);
    rmSync(archive, { force: true });
    await step(`building ${name}`, () =>
      engine.own ? buildWithBuildah(at, room, name, archive) : buildWithDocker(engine, room, name, archive),
    );
    await step(`loading ${name}`, () => loadArchive(cluster, archive));
    rmSync(archive);
  }
}

async function buildWithDocker(engine: Engine, room: string, name: string, archive: string): Promise<void> {
  const tag = `docker.io/${name}:${PRODUCT_TAG}`;
  await show('docker', ['build', '-q', '-f', `${room}/Dockerfile`, '-t', tag, '.'], { cwd: root, env: engine.env });
  await show('docker', ['save', '-o', archive, tag], { env: engine.env });
}

/** buildah on a store of its own; it needs no daemon, and `chroot` no more rights than we have. */
const buildah = (at: Places, args: string[]): [string, string[]] => [
  'buildah',
  ['--root', join(at.roots, 'buildah'), '--runroot', join(at.run, 'buildah'), '--storage-driver', 'overlay', ...args],
];

const BASE = 'localhost/plimsoll-base:local';
const BUILD_BASE = 'localhost/plimsoll-build-base:local';

async function buildWithBuildah(at: Places, room: string, name: string, archive: string): Promise<void> {
  // npm inside the build sees the registry and the authorities this machine trusts, and what it fetched before.
  const mounts = [
    ['/etc/ssl/certs', '/etc/ssl/certs:ro'],
    [join(homedir(), '.npmrc'), '/root/.npmrc:ro'],
    [npmCache(), '/root/.npm'],
  ].flatMap(([from = '', to = '']) => (existsSync(from) ? ['--volume', `${from}:${to}`] : []));
  const bases = ['--build-arg', `BASE=${BASE}`, '--build-arg', `BUILD_BASE=${BUILD_BASE}`];
  const file = ['--ignorefile', `${room}/Dockerfile.dockerignore`, '-f', `${room}/Dockerfile`];
  const tag = `docker.io/${name}:${PRODUCT_TAG}`;
  const certificates = ['--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'];
  const options = ['--isolation', 'chroot', '--network', 'host', '--quiet', '--layers'];
  const [command, args] = buildah(at, [
    'bud',
    ...options,
    ...certificates,
    ...mounts,
    ...bases,
    ...file,
    '-t',
    tag,
    '.',
  ]);
  await show('nice', ['-n', '10', command, ...args], { cwd: root });
  await show(...buildah(at, ['push', '--quiet', tag, `docker-archive:${archive}:${tag}`]));
}

const npmCache = () => capture('npm', ['config', 'get', 'cache', '--loglevel=error']).trim();

/** Base images from a Debian root: one to run on, one with the Node and the npm that started us. */
async function makeBases(at: Places): Promise<void> {
  const stamp = join(at.roots, 'buildah.bases');
  if (existsSync(stamp)) return;
  const npm = dirname(
    dirname(process.env.npm_execpath ?? capture('sh', ['-c', 'readlink -f "$(command -v npm)"']).trim()),
  );
  const work = join(at.run, 'bases');
  mkdirSync(work, { recursive: true });
  capture('tar', ['-C', join(at.roots, 'base'), '--numeric-owner', '-cf', join(work, 'base.tar'), '.']);
  capture('cp', [process.execPath, join(work, 'node')]);
  capture('cp', ['-aL', npm, join(work, 'npm')]);
  writeFileSync(join(work, 'Base'), 'FROM scratch\nADD base.tar /\n');
  writeFileSync(
    join(work, 'BuildBase'),
    `FROM ${BASE}\nCOPY node /usr/local/bin/\nCOPY npm /usr/local/lib/npm\nRUN ln -s ../lib/npm/bin/npm-cli.js /usr/local/bin/npm\n`,
  );
  const options = ['bud', '--isolation', 'chroot', '--quiet'];
  await show(...buildah(at, [...options, '-f', join(work, 'Base'), '-t', BASE, work]));
  await show(...buildah(at, [...options, '-f', join(work, 'BuildBase'), '-t', BUILD_BASE, work]));
  rmSync(work, { recursive: true });
  writeFileSync(stamp, '');
}
