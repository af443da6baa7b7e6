import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, loadArchive } from './cluster.ts';
import type { Engine } from './engine.ts';
import { runFolder } from './places.ts';
import { step } from './shell.ts';

/** Plimsoll's images by the folder of their Dockerfile, and `image.registry` and `image.tag` of the tests. */
const PRODUCT_IMAGES = { collector: 'plimsoll-collector', api: 'plimsoll-api' } as const;
export const PRODUCT_REGISTRY = 'localhost';
export const PRODUCT_TAG = 'test';

/** Builds the images (`only`: one of them) from the product's own Dockerfiles and copies them to the nodes. */
export async function loadProductImages(cluster: Cluster, engine: Engine, only?: string): Promise<void> {
  for (const [room, name] of Object.entries(PRODUCT_IMAGES)) {
    if (only !== undefined && only !== room) continue;
    const archive = join(runFolder(process.env), `${room}.tar`);
    rmSync(archive, { force: true });
    await step(`building ${name}`, () =>
      engine.buildImage(room, `${PRODUCT_REGISTRY}/${name}:${PRODUCT_TAG}`, archive),
    );
    await step(`loading ${name}`, () => loadArchive(cluster, archive));
    rmSync(archive);
  }
}
