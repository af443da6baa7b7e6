import { spawnSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'rolldown';
import { ROOT, stampOf } from '../lib/stamp.ts';

const FOLDER = '.cache/api';
const PRODUCT = `${FOLDER}/api-here.js`;
const INPUTS = ['api/src/**/*', 'api/contract/**/*.ts', 'scripts/start/api-*.ts', 'package-lock.json'];

/** Returns what replaces `import.meta` in a module. Its paths begin at the bundle, so that a checkout can be moved. */
const placeOf = (id: string): Record<string, string> => {
  const fromBundle = (path: string): string => relative(join(ROOT, FOLDER), path);
  return {
    'import.meta.url': `new URL(${JSON.stringify(fromBundle(id))}, import.meta.url).href`,
    'import.meta.dirname': `(import.meta.dirname + ${JSON.stringify(`/${fromBundle(dirname(id))}`)})`,
  };
};
const keepPlaces: Plugin = {
  name: 'keep-places',
  transform(code, id) {
    if (!code.includes('import.meta')) return undefined;
    const places = placeOf(id);
    return code.replaceAll(/import\.meta\.\w+/g, (use) => {
      const place = places[use];
      if (place === undefined) throw new Error(`${relative(ROOT, id)} uses ${use}, which the bundle does not know`);
      return place;
    });
  },
};

/**
 * Writes the API and the packages it reaches into few files, without types, comments and what nothing uses. Each file is
 * replaced at once and none is deleted: a running API may still load one of them, and two starts may write them.
 */
async function writeBundle(): Promise<void> {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    input: join(ROOT, 'scripts/start/api-here.ts'),
    platform: 'node',
    plugins: [keepPlaces],
  });
  const { output } = await bundle.generate({ format: 'esm', keepNames: true, comments: false, minify: false });
  await bundle.close();
  const chunks = output.filter((file) => file.type === 'chunk');
  const draft = join(ROOT, FOLDER, `draft-${String(process.pid)}`);
  mkdirSync(draft, { recursive: true });
  for (const { fileName, code } of chunks) writeFileSync(join(draft, fileName), code);
  // The entry comes last, because it names the others.
  for (const { fileName } of chunks.toSorted((a, b) => Number(a.isEntry) - Number(b.isEntry)))
    renameSync(join(draft, fileName), join(ROOT, FOLDER, fileName));
  rmSync(draft, { recursive: true });
}

/**
 * Returns the module that starts the API, bundled from today's sources. As 1,400 modules it takes 18 MiB more: their
 * texts with comments, and what is compiled of each. Throws when the bundle cannot be built.
 */
export function bundledApi(): string {
  const stamp = stampOf('api', INPUTS, PRODUCT);
  if (!stamp.isFresh()) {
    // In a process of its own: the bundler's memory would stay with this one.
    const { status } = spawnSync(process.execPath, [import.meta.filename], {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', process.stderr],
    });
    if (status !== 0) throw new Error(`the API was not bundled (exit ${String(status)}); its messages are above`);
    stamp.keep();
  }
  return pathToFileURL(join(ROOT, PRODUCT)).href;
}

if (import.meta.main) await writeBundle();
