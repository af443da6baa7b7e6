import type { Files } from '../../runtime/files.ts';

/** Units that an administrator wrote. Those of packages change with their packages. */
const OWN_UNITS = 'etc/systemd/system';
const UNIT = /^[^/]{1,200}\.(?:service|timer|socket|mount|path|slice|target)$/;
/** Folders whose links enable a unit. */
const ENABLING = /\.(?:wants|requires)$/;
const DROP_INS = /\.d$/;
const MOST = 2000;

/** Returns the names of units that are enabled by a link. */
export function enabledUnits(files: Files): Set<string> {
  const folders = files.list(OWN_UNITS).filter((name) => ENABLING.test(name));
  return new Set(
    folders
      .flatMap((folder) => files.list(`${OWN_UNITS}/${folder}`))
      .filter((name) => UNIT.test(name))
      .slice(0, MOST),
  );
}

/** Returns each unit file and drop-in of the administrator with a mark that changes when it is written. */
export function unitFiles(files: Files): [string, string][] {
  const names = files.list(OWN_UNITS).slice(0, MOST);
  return names.flatMap((name): [string, string][] => {
    if (UNIT.test(name)) return markOf(files, name);
    if (!DROP_INS.test(name)) return [];
    return files
      .list(`${OWN_UNITS}/${name}`)
      .slice(0, MOST)
      .flatMap((dropIn) => markOf(files, `${name}/${dropIn}`));
  });
}

/** A link to /dev/null masks a unit; one to another unit is its alias. */
function markOf(files: Files, name: string): [string, string][] {
  const path = `${OWN_UNITS}/${name}`;
  const target = files.link(path);
  if (target !== null) return [[name, target === '/dev/null' ? 'masked' : `→ ${target}`]];
  const seen = files.stat(path);
  return seen === null
    ? []
    : [[name, `${String(seen.bytes)} bytes, modified ${new Date(seen.changedMs).toISOString()}`]];
}
