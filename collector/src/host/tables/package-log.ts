/** Logs of package managers, and what a line of each means. */
export interface PackageLog {
  path: string;
  /** "name version" of a package that is new or newer; null for any other line. */
  parse: (line: string) => string | null;
}

export const PACKAGE_LOGS: readonly PackageLog[] = [
  {
    path: 'var/log/dpkg.log',
    // "status installed" also stands before a removal and after every trigger, so it is not a change.
    parse: (line) => join(/^[\d-]+ [\d:]+ (?:install|upgrade) ([^\s:]+)(?::\S+)? \S+ (\S+)$/.exec(line)),
  },
  {
    path: 'var/log/dnf.rpm.log',
    parse: (line) => join(/(?:SUBDEBUG|INFO) (?:Installed|Upgrade|Upgraded): ()(\S+)$/.exec(line)),
  },
  {
    path: 'var/log/pacman.log',
    parse: (line) => join(/\[ALPM\] (?:installed|upgraded) (\S+) \((?:\S+ -> )?(\S+)\)$/.exec(line)),
  },
];

const join = (match: RegExpExecArray | null): string | null => (match ? `${match[1]} ${match[2]}`.trim() : null);

/** At most so many names in one event. */
const NAMED = 5;

/** "3 packages installed or updated: a 1, b 2, c 3" */
export function describePackages(packages: readonly string[]): string {
  const unique = [...new Set(packages)];
  const more = unique.length > NAMED ? ` and ${unique.length - NAMED} more` : '';
  const count = unique.length === 1 ? 'Package' : `${unique.length} packages`;
  return `${count} installed or updated: ${unique.slice(0, NAMED).join(', ')}${more}`;
}
