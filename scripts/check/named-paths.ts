import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Documents whose paths must be there: a map that names a street that was moved misleads. */
const DOCUMENTS = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'README.md'];

/** `path/of/a/file.ext` in backquotes, without the capitals that stand for a name to choose. */
const NAMED = /`((?:api|collector|web|scripts|prisma|charts|docs)\/[\w./-]+\.\w+)`/g;

/** Paths the documents name that are not in the repository, as "document: path". */
export const missingPaths = (root: string, documents: readonly string[] = DOCUMENTS): string[] =>
  documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(NAMED)]
      .map(([, path = '']) => path)
      .filter((path) => !/[A-Z]{3,}/.test(path) && !existsSync(join(root, path)))
      .map((path) => `${document}: ${path}`),
  );
