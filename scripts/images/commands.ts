import type { ProductImage } from './images.ts';

export type Program = 'docker' | 'podman' | 'buildah';

export interface Build {
  image: ProductImage;
  /** `registry/name:tag` */
  reference: string;
  /** Like linux/amd64; empty: the platform of this machine. */
  platforms: readonly string[];
  labels: Readonly<Record<string, string>>;
  /** Values of the Dockerfile's ARG lines. */
  arguments: Readonly<Record<string, string>>;
  push: boolean;
  /** Push to a registry without TLS. docker does so by itself where the registry is on this machine. */
  plainHttp?: boolean;
  /** Options of a machine that needs more, such as mounts and an isolation. */
  extra?: readonly string[];
}

/** A build for this machine only. */
export type LocalBuild = Build & { platforms: readonly []; push: false };

const OWN_PLATFORM = `linux/${process.arch === 'x64' ? 'amd64' : process.arch}`;

const pairs = (option: string, values: Readonly<Record<string, string>>) =>
  Object.entries(values).flatMap(([name, value]) => [option, `${name}=${value}`]);

/** Returns the options that every program shares. */
const common = ({ image, labels, arguments: values, extra = [] }: Build): string[] => [
  ...extra,
  '--file',
  image.file,
  '--target',
  image.target,
  ...pairs('--label', labels),
  ...pairs('--build-arg', values),
];

/**
 * Returns the commands that build an image and, with `push`, push it. Several platforms become one manifest list.
 * docker pushes while it builds: its own store holds one platform only.
 */
export function buildCommands(program: Program, build: Build): string[][] {
  const { image, reference, platforms, push, plainHttp = false } = build;
  // Named in any case: without it buildah 1.28 leaves the Dockerfile's TARGETARCH empty.
  const platform = ['--platform', (platforms.length === 0 ? [OWN_PLATFORM] : platforms).join(',')];
  if (program === 'docker') {
    // Only a registry stores the documents about an image beside it.
    const out = push ? ['--provenance', 'mode=max', '--sbom', 'true', '--push'] : ['--load'];
    return [['docker', 'buildx', 'build', ...common(build), ...platform, '--tag', reference, ...out, '.']];
  }
  // docker finds the file by its name; the others get it named. buildah 1.28 leaves BUILDPLATFORM empty, too, and then
  // looks for the build's base on the target's platform.
  const named = ['--ignorefile', `${image.file}.dockerignore`, '--build-arg', `BUILDPLATFORM=${OWN_PLATFORM}`];
  const options = [...common(build), ...named, ...platform];
  const tls = plainHttp ? ['--tls-verify=false'] : [];
  if (platforms.length < 2) {
    const one = [program, 'build', ...options, '--tag', reference, '.'];
    return push ? [one, [program, 'push', ...tls, reference]] : [one];
  }
  const several = [program, 'build', ...options, '--manifest', reference, '.'];
  // An OCI index; the default is Docker's older list. `--rm`: a second build of the tag would add to the list, and who
  // pulls gets the first image of a platform.
  const how = ['--all', '--rm', '--format', 'oci', ...tls];
  return push ? [several, [program, 'manifest', 'push', ...how, reference, `docker://${reference}`]] : [several];
}

/** Returns the command that writes an image as `docker save` does, for `kind load image-archive`. */
export function saveCommand(program: Program, reference: string, archive: string): string[] {
  if (program === 'docker') return ['docker', 'save', '--output', archive, reference];
  if (program === 'podman') return ['podman', 'save', '--format', 'docker-archive', '--output', archive, reference];
  return ['buildah', 'push', '--quiet', reference, `docker-archive:${archive}:${reference}`];
}
