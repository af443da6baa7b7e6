import type { Files } from '../../runtime/files.ts';

/** Names with their values. Null: the machine has nothing of the kind, or hides it. */
export type Entries = Map<string, string> | null;

/** Databases of package managers that are text. That of rpm is binary: its log gives events of the activity instead. */
const DATABASES: readonly { path: string; parse: (text: string) => Map<string, string> }[] = [
  { path: 'var/lib/dpkg/status', parse: parseDpkg },
  { path: 'lib/apk/db/installed', parse: parseApk },
];

/** Reads the packages again only if a database changed: parsing 900 of them takes milliseconds. */
export function packageReader(files: Files): () => Entries {
  let mark = '';
  let packages: Entries = null;
  return () => {
    const now = DATABASES.map(({ path }) => markOf(files, path)).join(' ');
    if (now === mark) return packages;
    const found = DATABASES.flatMap(({ path, parse }) => {
      const text = files.optional(path);
      return text === null ? [] : [parse(text)];
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

/** Installed packages of /var/lib/dpkg/status. One that was removed keeps its entry for its configuration. */
export function parseDpkg(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of text.split('\n\n')) {
    const name = fieldOf(entry, 'Package: ');
    const version = fieldOf(entry, 'Version: ');
    const isInstalled = fieldOf(entry, 'Status: ')?.endsWith(' installed') === true;
    if (name === null || version === null || !isInstalled) continue;
    const key = `${name}:${fieldOf(entry, 'Architecture: ') ?? 'all'}`;
    // Two architectures of one package are two packages.
    found.set(found.has(name) ? key : name, version);
  }
  return found;
}

/** /lib/apk/db/installed: letters name the fields. */
export function parseApk(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of text.split('\n\n')) {
    const name = fieldOf(entry, 'P:');
    const version = fieldOf(entry, 'V:');
    if (name !== null && version !== null) found.set(name, version);
  }
  return found;
}

/** The rest of the line that starts so. */
function fieldOf(entry: string, start: string): string | null {
  const at = entry.startsWith(start) ? 0 : entry.indexOf(`\n${start}`) + 1;
  if (at === 0 && !entry.startsWith(start)) return null;
  const end = entry.indexOf('\n', at);
  return entry.slice(at + start.length, end === -1 ? undefined : end).trim() || null;
}
