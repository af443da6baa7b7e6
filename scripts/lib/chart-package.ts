import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tar } from './tar.ts';
import { ROOT } from './web-build.ts';

const CHART = join(ROOT, 'charts/plimsoll');
/** Files that `.helmignore` leaves out as well: values for tests, sources of generated files. */
const LEFT_OUT = /^(ci|docker)\/|\.test\.ts$|\.tgz$|^README\.md\.in$/;

/**
 * Returns the chart as `helm package` lays it out: everything below one folder of the chart's name. `edits` change files
 * by their path in the chart.
 */
export async function chartArchive(
  edits: Readonly<Record<string, (text: string) => string>> = {},
  folder: string = CHART,
): Promise<Buffer> {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .split(sep)
        .join('/'),
    )
    .concat('.helmignore')
    .filter((file) => !LEFT_OUT.test(file))
    .toSorted();
  const entries = files.map((file) => {
    const content = readFileSync(join(folder, file));
    const edit = edits[file];
    return { name: `plimsoll/${file}`, content: edit ? Buffer.from(edit(content.toString())) : content };
  });
  return gzipSync(await tar(entries), { level: 9 });
}

/** Writes dist/charts/plimsoll.tgz, which the dashboard serves for its Setup page's Helm command. */
export async function packageChart(): Promise<void> {
  const file = join(ROOT, 'dist/charts/plimsoll.tgz');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await chartArchive());
}
