import { readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseEngine } from '../cluster/choose-engine.ts';
import type { Engine } from '../cluster/engine.ts';
import { say, step } from '../cluster/shell.ts';
import { IMAGES, imagesNamed } from '../images/images.ts';
import { labelsOf, originOf } from '../images/labels.ts';
import { ROOT } from '../lib/web-build.ts';
import { packageForRegistry, pushChart } from './chart.ts';
import { startRegistry } from './registry.ts';
import { compiledTool } from './tools.ts';

export interface LocalOptions {
  /** Address the registry listens on, HOST:PORT. */
  listen: string;
  /** Name under which images and chart are pushed and pulled. Its host must lead to `listen`. */
  registry: string;
  platforms: readonly string[];
  /** Names of images; all without it. */
  images?: readonly string[];
}

const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

/** Pushes images and chart as a release does. Returns their references, the chart's last. */
async function pushRelease({ registry, platforms, images }: LocalOptions): Promise<string[]> {
  const engine = await chooseEngine();
  const origin = originOf(ROOT);
  const references: string[] = [];
  for (const image of images === undefined ? IMAGES : imagesNamed(images)) {
    const reference = `${registry}/${image.name}:${version}`;
    const labels = labelsOf(image, version, origin);
    // Kits of foreign platforms would be fetched first.
    const values: Record<string, string> = image.target === 'kits' ? { KITS: `--target linux-${process.arch}` } : {};
    const build = { image, reference, platforms, labels, arguments: values, push: true };
    await step(reference, () => engine.pushImage(build));
    references.push(reference);
  }
  return [...references, await pushLocalChart(registry, engine)];
}

/** Packages the chart with the registry as its image.registry and pushes it. Returns its reference with the digest. */
export async function pushLocalChart(registry: string, engine: Engine): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-chart-'));
  try {
    const file = await packageForRegistry(registry, folder);
    return pushChart(file, registry, true, engine.env);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Starts a registry, pushes images and chart there and serves them until the process is interrupted. */
export async function serveLocally(options: LocalOptions): Promise<string> {
  const registry = await startRegistry(await compiledTool('registry'), options.listen);
  try {
    const references = await pushRelease(options);
    for (const reference of references) say(reference);
    say(`helm install plimsoll oci://${options.registry}/charts/plimsoll --version ${version} --plain-http`);
    say('serving until Ctrl-C …');
    await new Promise<void>((resolve) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    return 'stopped';
  } finally {
    await registry.stop();
  }
}
