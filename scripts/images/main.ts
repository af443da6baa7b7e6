import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { capture, show, step, succeeds } from '../cluster/shell.ts';
import { ROOT } from '../lib/web-build.ts';
import { type Program, buildCommands, saveCommand } from './commands.ts';
import { labelsOf, originOf } from './labels.ts';
import { type Options, readOptions } from './options.ts';
import { writeSbom } from './sbom.ts';

const USAGE = `Usage: npm run build:images -- --registry REGISTRY [OPTIONS]
Builds Plimsoll's images with docker, podman or buildah, whichever runs here first.

  --registry REGISTRY   where the images go, like registry.example.com/team; the chart's image.registry
  --tag TAG             their tag and the chart's image.tag (default: the version in package.json)
  --push                push them; log in first with the program's own login
  --platform LIST       linux/amd64, linux/arm64 or both with a comma (default: this machine's)
  --load-into kind      copy them to the nodes of a kind cluster; KIND_CLUSTER_NAME names another than "kind"
  --image NAME          only this image; may be repeated
  --base IMAGE          base of the images instead of Debian's, where docker.io cannot be reached
  --build-base IMAGE    base of the build instead of Node's: Debian with Node and npm
  --given-kits          put the kits of dist/agent into their image, as npm run build:agent made them
  --sbom FOLDER         write one SPDX document per image into FOLDER, with its npm packages

Prints each image, and the options for helm.
Exit 0 done, 1 failed, 2 wrong options.`;

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/**
 * Without root and without ids of its own, podman maps one user only. It fails minutes later, at the first file of a base
 * image that belongs to a group.
 */
function requireSubordinateIds(): void {
  const mapping = capture('podman', [
    'info',
    '--format',
    '{{.Host.Security.Rootless}} {{len .Host.IDMappings.UIDMap}}',
  ]);
  if (mapping.trim() !== 'true 1') return;
  throw new Error(
    'podman has one user id only, and images hold files of several users. Add the line USER:100000:65536 to /etc/subuid and /etc/subgid, then run: podman system migrate',
  );
}

/** Returns the first program that works here. Throws with the remedy when there is none. */
function findProgram(): Program {
  if (succeeds('docker', ['info'])) {
    if (succeeds('docker', ['buildx', 'version'])) return 'docker';
    throw new Error('docker has no buildx. Install its plugin (Debian and Ubuntu: docker-buildx-plugin).');
  }
  if (succeeds('podman', ['info'])) {
    requireSubordinateIds();
    return 'podman';
  }
  if (succeeds('buildah', ['--version'])) return 'buildah';
  throw new Error('no docker, podman or buildah works here. Start Docker, or install podman or buildah.');
}

const run = ([command = '', ...args]: string[]) => show(command, args, { cwd: ROOT });

async function loadIntoKind(program: Program, reference: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-images-'));
  try {
    const archive = join(folder, 'image.tar');
    await run(saveCommand(program, reference, archive));
    const env = program === 'podman' ? { KIND_EXPERIMENTAL_PROVIDER: program } : {};
    await show('kind', ['load', 'image-archive', archive], { env });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function build(options: Options): Promise<void> {
  const program = findProgram();
  const origin = originOf(ROOT);
  for (const named of options.images) {
    const image = options.givenKits && named.target === 'kits' ? { ...named, target: 'given-kits' } : named;
    const reference = `${options.registry}/${image.name}:${options.tag}`;
    const labels = labelsOf(image, options.tag, origin);
    const { platforms, push } = options;
    const commands = buildCommands(program, { ...options, image, reference, labels, platforms, push });
    await step(`${reference} with ${program}`, async () => {
      for (const command of commands) await run(command);
    });
    if (options.loadIntoKind) await step(`${reference} into kind`, () => loadIntoKind(program, reference));
    if (options.sbom !== null) writeSbom(options.sbom, image);
    console.log(reference);
  }
  console.log(`helm: --set image.registry=${options.registry} --set-string image.tag=${options.tag}`);
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2), version);
  } catch (error) {
    console.error(`plimsoll: ${(error as Error).message}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  await build(options);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`plimsoll: ${(error as Error).message}`);
  process.exitCode = 1;
}
