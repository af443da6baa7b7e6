import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

export interface Registry {
  /** Ends the registry and deletes what was pushed. */
  stop(): Promise<void>;
}

const READY_MS = 20_000;

/** Starts a registry without TLS on `address` (HOST:PORT) and returns once it serves. */
export async function startRegistry(program: string, address: string): Promise<Registry> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-registry-'));
  const settings = join(folder, 'config.json');
  mkdirSync(join(folder, 'blobs'));
  writeFileSync(
    settings,
    // JSON is YAML.
    JSON.stringify({
      version: '0.1',
      log: { level: 'error' },
      storage: { filesystem: { rootdirectory: join(folder, 'blobs') } },
      http: { addr: address },
    }),
  );
  // It would send traces to a collector on this machine.
  const env = { ...process.env, OTEL_TRACES_EXPORTER: 'none' };
  const child = spawn(program, ['serve', settings], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  const messages: Buffer[] = [];
  child.stderr.on('data', (part: Buffer) => messages.push(part));
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const deadline = Date.now() + READY_MS;
  while (!(await isServing(address))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`the registry does not serve on ${address}:\n${Buffer.concat(messages).toString().slice(-2000)}`);
    }
    await setTimeout(100);
  }
  return { stop };
}

const isServing = (address: string): Promise<boolean> =>
  fetch(`http://${address}/v2/`).then(
    ({ ok }) => ok,
    () => false,
  );

const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

export interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  platform?: { os: string; architecture: string };
}
export interface Manifest {
  mediaType: string;
  /** Set in an index. */
  manifests?: Descriptor[];
  /** Set in an image and in a chart. */
  config?: Descriptor;
  layers?: Descriptor[];
}

/** Reads a manifest by tag or digest from a registry without TLS, with the digest the registry computed. */
export async function readManifest(
  address: string,
  name: string,
  reference: string,
): Promise<{ digest: string; manifest: Manifest }> {
  const response = await fetch(`http://${address}/v2/${name}/manifests/${reference}`, {
    headers: { accept: MANIFESTS },
  });
  if (!response.ok) throw new Error(`${address}/${name}:${reference}: ${String(response.status)}`);
  const digest = response.headers.get('docker-content-digest') ?? '';
  return { digest, manifest: (await response.json()) as Manifest };
}

export async function readBlob(address: string, name: string, digest: string): Promise<Buffer> {
  const response = await fetch(`http://${address}/v2/${name}/blobs/${digest}`);
  if (!response.ok) throw new Error(`${address}/${name}@${digest}: ${String(response.status)}`);
  return Buffer.from(await response.arrayBuffer());
}
