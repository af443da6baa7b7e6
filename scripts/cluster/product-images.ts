import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGES, imagesNamed } from '../images/images.ts';
import { type Cluster, loadArchive } from './cluster.ts';
import type { Engine } from './engine.ts';
import { runFolder } from './places.ts';
import { step } from './shell.ts';

/** The registry of the kind commands in docs/kubernetes.md, and the tag that `npm run build:images` and the chart choose. */
export const PRODUCT_REGISTRY = 'localhost/plimsoll';
export const PRODUCT_TAG = (
  JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as { version: string }
).version;

/** Kits of foreign platforms would be fetched for every run; the tests install none of them. */
const KITS = `--target linux-${process.arch}`;

/** Builds the images (`only`: one of them) as `npm run build:images` does and copies them to the nodes. */
export async function loadProductImages(cluster: Cluster, engine: Engine, only?: string): Promise<void> {
  for (const image of only === undefined ? IMAGES : imagesNamed([only])) {
    const archive = join(runFolder(process.env), `${image.name}.tar`);
    const reference = `${PRODUCT_REGISTRY}/${image.name}:${PRODUCT_TAG}`;
    const args = image.target === 'kits' ? { KITS } : {};
    const build = { image, reference, platforms: [], labels: {}, arguments: args, push: false } as const;
    rmSync(archive, { force: true });
    await step(`building ${image.name}`, () => engine.buildImage(build, archive));
    await step(`loading ${image.name}`, () => loadArchive(cluster, archive));
    rmSync(archive);
  }
}
