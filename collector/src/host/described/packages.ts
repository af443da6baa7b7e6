import type { EachLine, Files } from '../../runtime/files.ts';
import { orNull } from '../../runtime/or-null.ts';

/** Names with their values. Null: the machine has nothing of the kind, or hides it. */
export type Entries = Map<string, string> | null;

/** The beginnings of lines that are read. The name comes first in each entry of a database. */
interface Fields {
  name: string;
  version: string;
  architecture: string | null;
  /** An entry counts if this line ends so; null: each does. */
  status: { field: string; end: string } | null;
}

/** /var/lib/dpkg/status. A package that was removed keeps its entry for its configuration. */
export const DPKG: Fields = {
  name: 'Package: ',
  version: 'Version: ',
  architecture: 'Architecture: ',
  status: { field: 'Status: ', end: ' installed' },
};
/** /lib/apk/db/installed */
export const APK: Fields = { name: 'P:', version: 'V:', architecture: null, status: null };

/** Databases of package managers that are text. That of rpm is binary: its log gives events of the activity instead. */
const DATABASES: readonly { path: string; fields: Fields }[] = [
  { path: 'var/lib/dpkg/status', fields: DPKG },
  { path: 'lib/apk/db/installed', fields: APK },
];

/** Reads the packages again only if a database changed: parsing 900 of them takes milliseconds. */
export function packageReader(files: Files): () => Entries {
  let mark = '';
  let packages: Entries = null;
  return () => {
    const now = DATABASES.map(({ path }) => markOf(files, path)).join(' ');
    if (now === mark) return packages;
    const found = DATABASES.flatMap(({ path, fields }) => {
      const lines = (each: EachLine): void => {
        files.lines(path, each);
      };
      return orNull(() => packagesOf(lines, fields)) ?? [];
    });
    packages = found.length === 0 ? null : new Map(found.flatMap((one) => [...one]));
    mark = now;
    return packages;
  };
}

function markOf(files: Files, path: string): string {
  const seen = files.stat(path);
  return seen === null ? '-' : `${String(seen.inode)}/${String(seen.bytes)}/${String(seen.changedMs)}`;
}

/**
 * Returns the installed packages with their versions. Line by line: the database of a server has 3 MB, and a part of one
 * text would keep the whole in memory.
 */
export function packagesOf(lines: (each: EachLine) => void, fields: Fields): Map<string, string> {
  const found = new Map<string, string>();
  const starts = [fields.name, fields.version, fields.architecture, fields.status?.field ?? null].map((start) =>
    start === null ? null : Buffer.from(start),
  );
  let entry: (string | undefined)[] = [];
  const keep = (): void => {
    const [name, version, architecture = 'all', status] = entry;
    entry = [];
    if (!name || !version || (fields.status !== null && status?.endsWith(fields.status.end) !== true)) return;
    // Two architectures of one package are two packages.
    found.set(found.has(name) ? `${name}:${architecture}` : name, version);
  };
  lines((bytes, from, to) => {
    const field = starts.findIndex((start) => start?.compare(bytes, from, Math.min(from + start.length, to)) === 0);
    if (field === -1) return;
    if (field === 0) keep();
    entry[field] ??= bytes.toString('utf8', from + (starts[field]?.length ?? 0), to).trim();
  });
  keep();
  return found;
}
