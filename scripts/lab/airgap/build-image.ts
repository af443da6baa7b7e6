import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { capture, show } from '../../cluster/shell.ts';
import { type Build, type LocalBuild, buildCommands, saveCommand } from '../../images/commands.ts';
import type { Places } from './places.ts';

const root = join(import.meta.dirname, '../../..');
const BASE = 'localhost/plimsoll-base-index:local';
const BUILD_BASE = 'localhost/plimsoll-build-base:local';
const MACHINES = ['amd64', 'arm64'];

/** Returns a buildah command on a store of its own. buildah needs no daemon, and `chroot` no further rights. */
const buildah = (at: Places, args: string[]): [string, string[]] => [
  'buildah',
  ['--root', join(at.roots, 'buildah'), '--runroot', join(at.run, 'buildah'), '--storage-driver', 'overlay', ...args],
];

/** Builds an image on base images made here and saves it to `archive`. */
export async function buildImage(at: Places, build: LocalBuild, archive: string): Promise<void> {
  await makeBases(at);
  await runBuild(at, build);
  await show(...buildah(at, saveCommand('buildah', build.reference, archive).slice(1)));
}

/** Builds an image for its platforms on base images made here and pushes it to a registry on plain http. */
export async function pushImage(at: Places, build: Build): Promise<void> {
  await makeBases(at);
  await runBuild(at, { ...build, push: true, plainHttp: true });
}

async function runBuild(at: Places, build: Build): Promise<void> {
  // npm inside the build gets this machine's registry, trusted authorities and cache.
  const mounts = [
    ['/etc/ssl/certs', '/etc/ssl/certs:ro'],
    [join(homedir(), '.npmrc'), '/root/.npmrc:ro'],
    [npmCache(), '/root/.npm'],
  ].flatMap(([from = '', to = '']) => (existsSync(from) ? ['--volume', `${from}:${to}`] : []));
  const certificates = ['--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'];
  const options = ['--isolation', 'chroot', '--network', 'host', '--quiet', '--layers'];
  const commands = buildCommands('buildah', {
    ...build,
    arguments: { ...build.arguments, BASE, BUILD_BASE },
    extra: [...options, ...certificates, ...mounts],
  });
  for (const [, ...words] of commands) {
    const [command, args] = buildah(at, words);
    await show('nice', ['-n', '10', command, ...args], { cwd: root });
  }
}

const npmCache = () => capture('npm', ['config', 'get', 'cache', '--loglevel=error']).trim();

/**
 * Makes the base images: one to run on, which holds the C libraries of both machines that images are built for, and one
 * to build on, a Debian with the Node and the npm that started the script.
 */
async function makeBases(at: Places): Promise<void> {
  const stamp = join(at.roots, 'base-index.stamp');
  if (existsSync(stamp)) return;
  if (!existsSync(join(at.roots, 'base')))
    await show('bash', [join(import.meta.dirname, 'own-engine/roots.sh')], { env: { ROOTS: at.roots } });
  const npm = dirname(
    dirname(process.env.npm_execpath ?? capture('sh', ['-c', 'readlink -f "$(command -v npm)"']).trim()),
  );
  const work = join(at.run, 'bases');
  mkdirSync(work, { recursive: true });
  const pack = (folder: string, name: string) =>
    capture('tar', ['-C', folder, '--numeric-owner', '-cf', join(work, name), '.']);
  for (const machine of MACHINES) {
    const libraries = join(at.roots, `libraries-${machine}`);
    await show('bash', [join(import.meta.dirname, 'own-engine/library-root.sh'), machine, libraries]);
    pack(libraries, `${machine}.tar`);
  }
  pack(join(at.roots, 'base'), 'base.tar');
  capture('cp', [process.execPath, join(work, 'node')]);
  capture('cp', ['-aL', npm, join(work, 'npm')]);
  writeFileSync(join(work, 'Base'), 'FROM scratch\nARG TARGETARCH\nADD ${TARGETARCH}.tar /\n');
  writeFileSync(
    join(work, 'BuildBase'),
    'FROM scratch\nADD base.tar /\nCOPY node /usr/local/bin/\nCOPY npm /usr/local/lib/npm\nRUN ln -s ../lib/npm/bin/npm-cli.js /usr/local/bin/npm\n',
  );
  const options = ['bud', '--isolation', 'chroot', '--quiet'];
  const platforms = MACHINES.map((machine) => `linux/${machine}`).join(',');
  await show(...buildah(at, [...options, '--platform', platforms, '--manifest', BASE, '-f', join(work, 'Base'), work]));
  await show(...buildah(at, [...options, '-f', join(work, 'BuildBase'), '-t', BUILD_BASE, work]));
  rmSync(work, { recursive: true });
  writeFileSync(stamp, '');
}
