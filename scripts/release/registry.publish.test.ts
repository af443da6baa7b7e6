import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseEngine } from '../cluster/choose-engine.ts';
import type { Engine } from '../cluster/engine.ts';
import { capture } from '../cluster/shell.ts';
import { imagesNamed } from '../images/images.ts';
import { packageForRegistry } from './chart.ts';
import { pushLocalChart } from './local.ts';
import { type Descriptor, type Registry, readBlob, readManifest, startRegistry } from './registry.ts';
import { compiledTool } from './tools.ts';

/** Pushes as a release does to a registry of this machine and pulls again. */
const [COLLECTOR] = imagesNamed(['plimsoll-cluster-collector']);
const NAME = 'team/plimsoll-cluster-collector';
const BUILD_MS = 1_200_000;
const VERSION = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
).version;

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

let folder: string;
let address: string;
let registry: Registry;
let engine: Engine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-publish-'));
  engine = await chooseEngine();
  await engine.bringTools();
  address = `127.0.0.1:${String(await freePort())}`;
  registry = await startRegistry(await compiledTool('registry'), address);
}, BUILD_MS);

afterAll(async () => {
  await (registry as Registry | undefined)?.stop();
  rmSync(folder, { recursive: true });
});

interface Config {
  architecture: string;
  config: { User: string; Labels: Record<string, string>; Entrypoint: string[] };
}

/** Pulls one image by the digest of its manifest and unpacks its layers. Checks every digest on the way. */
async function pull(digest: string): Promise<{ root: string; config: Config; compressedBytes: number }> {
  const { manifest, digest: found } = await readManifest(address, NAME, digest);
  expect(found).toBe(digest);
  const blob = async ({ digest: wanted }: Descriptor) => {
    const content = await readBlob(address, NAME, wanted);
    expect(`sha256:${createHash('sha256').update(content).digest('hex')}`).toBe(wanted);
    return content;
  };
  const { config, layers = [] } = manifest;
  if (!config) throw new Error(`${digest} is no image`);
  const root = join(folder, digest.slice(7, 19));
  mkdirSync(root);
  for (const layer of layers) {
    writeFileSync(join(folder, 'layer'), await blob(layer));
    execFileSync('tar', ['-xzf', join(folder, 'layer'), '-C', root]);
  }
  return {
    root,
    config: JSON.parse((await blob(config)).toString()) as Config,
    compressedBytes: layers.reduce((sum, { size }) => sum + size, 0),
  };
}

describe('the cluster collector', () => {
  let images: { machine: string; digest: string }[];

  beforeAll(async () => {
    if (!COLLECTOR) throw new Error('no image');
    const labels = { 'org.opencontainers.image.version': VERSION };
    const reference = `${address}/${NAME}:${VERSION}`;
    await engine.pushImage({
      image: COLLECTOR,
      reference,
      platforms: engine.platforms,
      labels,
      arguments: {},
      push: true,
    });
    const { manifest, digest } = await readManifest(address, NAME, VERSION);
    images = (manifest.manifests ?? [{ digest, mediaType: '', size: 0, platform: undefined }])
      .filter(({ platform }) => platform?.os !== 'unknown')
      .map((found) => ({ digest: found.digest, machine: found.platform?.architecture ?? '' }));
  }, BUILD_MS);

  test('is an index of every platform that this engine builds', () => {
    const machines = engine.platforms.map((platform) => platform.replace('linux/', ''));
    expect(images.map(({ machine }) => machine).toSorted()).toEqual(machines.length === 0 ? [''] : machines);
  });

  test('runs as a user, holds no shell, names its version and takes at most 60 MB', async () => {
    for (const { digest } of images) {
      const { root, config, compressedBytes } = await pull(digest);
      expect(config.config.User).toBe('65534:65534');
      expect(config.config.Labels['org.opencontainers.image.version']).toBe(VERSION);
      for (const shell of ['sh', 'bash', 'dash', 'busybox'])
        for (const bin of ['bin', 'usr/bin', 'usr/local/bin']) expect(existsSync(join(root, bin, shell))).toBe(false);
      expect(readlinkSync(join(root, 'lib'))).toBe('usr/lib');
      console.log(`${config.architecture}: ${(compressedBytes / 1e6).toFixed(1)} MB`);
      expect(compressedBytes).toBeLessThan(60e6);
      // The program itself, on an emulated processor where it is not this machine's.
      const emulator = config.architecture === 'arm64' && process.arch === 'x64' ? ['qemu-aarch64', '-L', root] : [];
      const [command, ...args] = [...emulator, join(root, 'usr/local/bin/node'), join(root, 'app/cluster.mjs')];
      const ended = spawnSync(command, args, { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
      if (ended.error !== undefined) throw ended.error;
      expect(ended.stderr + ended.stdout).toContain('PLIMSOLL_URL');
      rmSync(root, { recursive: true });
    }
  });
});

test('the chart comes back byte for byte, by its digest, and names the registry', async () => {
  const reference = await pushLocalChart(`${address}/Team`, engine);
  expect(reference).toMatch(new RegExp(`^${address}/team/charts/plimsoll@sha256:[0-9a-f]{64}$`));
  const into = join(folder, 'pulled');
  mkdirSync(into);
  capture('helm', ['pull', `oci://${reference}`, '--plain-http', '--destination', into], { env: engine.env });
  // Helm names the file after the digest.
  const [name = ''] = readdirSync(into);
  const pulled = readFileSync(join(into, name));
  const packaged = readFileSync(await packageForRegistry(`${address}/team`, join(folder, 'packaged')));
  expect(pulled.equals(packaged)).toBe(true);
  const rendered = capture('helm', ['template', 'plimsoll', join(into, name)], { env: engine.env });
  expect(rendered).toContain(`image: ${address}/team/plimsoll-api:${VERSION}`);
});
