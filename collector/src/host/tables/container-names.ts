import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Files } from '../../runtime/files.ts';

export interface ContainerIdentity {
  name: string | null;
  image: string | null;
}
const UNKNOWN: ContainerIdentity = { name: null, image: null };
const NAMESPACES = ['k8s.io', 'moby', 'default'];
const NAME_BYTES = 256;
/** Longest state file read: it holds the arguments and variables of a container, which its owner chooses. */
const STATE_BYTES = 1_048_576;

/** Names from the state files of the runtimes, where this user may read them; each container is looked up once. */
export function containerNames(files: Files): (id: string) => ContainerIdentity {
  let known = new Map<string, ContainerIdentity>();
  return (id) => {
    const found =
      known.get(id) ?? fromDocker(files, id) ?? fromContainerd(files, id) ?? fromPodman(files, id) ?? UNKNOWN;
    // Containers come and go: the map must not grow for ever.
    if (known.size > 1000) known = new Map();
    known.set(id, found);
    return found;
  };
}

function fromDocker(files: Files, id: string): ContainerIdentity | null {
  const config = parse(stateFile(files, `var/lib/docker/containers/${id}/config.v2.json`));
  if (config === null) return null;
  return identity(text(config, 'Name')?.replace(/^\//, ''), text(child(config, 'Config'), 'Image'));
}

/** The bundle of a running task; Kubernetes writes its names as annotations. */
function fromContainerd(files: Files, id: string): ContainerIdentity | null {
  for (const namespace of NAMESPACES) {
    const config = parse(
      stateFile(files, `run/containerd/io.containerd.runtime.v2.task/${namespace}/${id}/config.json`),
    );
    if (!config) continue;
    const annotations = child(config, 'annotations');
    const pod = text(annotations, 'io.kubernetes.cri.sandbox-name');
    const container = text(annotations, 'io.kubernetes.cri.container-name');
    const name = pod && container ? `${pod}/${container}` : (container ?? pod ?? text(config, 'hostname'));
    return identity(name, text(annotations, 'io.kubernetes.cri.image-name'));
  }
  return null;
}

function fromPodman(files: Files, id: string): ContainerIdentity | null {
  const list = parse(stateFile(files, 'var/lib/containers/storage/overlay-containers/containers.json'));
  if (!Array.isArray(list)) return null;
  const one: unknown = list.find((entry) => text(entry, 'id') === id);
  if (one === undefined) return null;
  const names = child(one, 'names');
  const metadata = parse(text(one, 'metadata') ?? null);
  return identity(Array.isArray(names) ? String(names[0]) : undefined, text(metadata, 'image-name'));
}

const identity = (name: string | undefined, image: string | undefined): ContainerIdentity => ({
  name: name === undefined || name === '' ? null : cutToBytes(name, NAME_BYTES),
  image: image === undefined || image === '' ? null : cutToBytes(image, NAME_BYTES),
});

const stateFile = (files: Files, path: string): string | null =>
  (files.stat(path)?.bytes ?? 0) > STATE_BYTES ? null : files.optional(path);

/** These files are written by others: nothing about their shape is taken for granted. */
function parse(json: string | null): unknown {
  try {
    return json === null ? null : JSON.parse(json);
  } catch {
    return null;
  }
}
const child = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
function text(value: unknown, key: string): string | undefined {
  const found = child(value, key);
  return typeof found === 'string' ? found : undefined;
}
