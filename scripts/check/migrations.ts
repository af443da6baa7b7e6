import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'prisma/migrations';
/** Their dates run ahead of the calendar, and databases and backups hold these names, so the set is closed. */
const CLOSED = { newest: '20270105000000_lists_as_text', names: '37de325feb8c99b8' };
const NAME = /^\d{14}_[a-z0-9_]+$/;

/** Returns the folder names of migrations in the order in which they run. */
const namesIn = (root: string): string[] =>
  readdirSync(join(root, FOLDER), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .toSorted();

/**
 * Returns the names of migrations in the order in which commits added them, then those that no commit holds yet. Empty
 * outside a git checkout.
 */
function namesByAge(root: string): string[] {
  const git = (...args: string[]): string[] => {
    const text = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return text.split('\n').flatMap((line) => line.split('/')[2] ?? []);
  };
  try {
    const added = git('log', '--reverse', '--no-renames', '--diff-filter=A', '--name-only', '--format=', '--', FOLDER);
    const untracked = git('ls-files', '--others', '--exclude-standard', '--', FOLDER);
    return [...new Set([...added, ...untracked])];
  } catch {
    return [];
  }
}

export const hashOfNames = (names: readonly string[]): string =>
  createHash('sha256').update(names.join('\n')).digest('hex').slice(0, 16);

/**
 * Returns what is wrong with the order of `names`. A database that has run a later migration would never run one that
 * sorts before it. `byAge` holds the names in the order in which they came.
 */
export function misplacedMigrations(names: readonly string[], byAge: readonly string[], closed = CLOSED): string[] {
  const problems = names
    .filter((name) => !NAME.test(name))
    .map((name) => `${FOLDER}/${name}: the name must be fourteen digits, _ and lower-case words.`);
  const known = names.filter((name) => name <= closed.newest);
  if (hashOfNames(known) !== closed.names)
    problems.push(
      `${FOLDER}: the names up to ${closed.newest} are fixed. Give a new migration a name that sorts after all others.`,
    );
  let newest = closed.newest;
  for (const name of byAge.filter((one) => one > closed.newest && names.includes(one))) {
    if (name < newest) problems.push(`${FOLDER}/${name}: must sort after ${newest}, which is older.`);
    else newest = name;
  }
  return problems;
}

/** Returns what is wrong with the order of the migrations of a checkout. */
export const checkMigrations = (root: string): string[] => misplacedMigrations(namesIn(root), namesByAge(root));
