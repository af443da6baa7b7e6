import { capture } from './shell.ts';

/** What decides how the product behaves in a cluster: a change elsewhere needs no cluster to be tested. */
const DECIDING = [
  /^charts\//,
  /^scripts\/(cluster|airgap)(\/|\.mjs$)/,
  /(^|\/)Dockerfile(\.dockerignore)?$/,
  /^package-lock\.json$/,
  /^collector\/src\/(kubernetes\/|node\/|cluster[^/]*\.ts$|cli\/|send\/|[a-z-]+\.ts$)/,
  /^prisma\/migrations\/\d+_kubernetes[^/]*\//,
  /^api\/contract\/(kubernetes|cluster|report|install)[^/]*\.ts$/,
  /^api\/src\/(.*\/)?[^/]*(kubernetes|cluster)[^/]*(\/|\.ts$)/,
  /^web\/src\/(.*\/)?[^/]*kubernetes[^/]*(\/|\.tsx?$)/,
];

/** The files among `files` (paths from the root of the repository) that ask for a run of the cluster lane. */
export const deciding = (files: readonly string[]): string[] =>
  files.filter((file) => DECIDING.some((pattern) => pattern.test(file)));

/**
 * Files that differ between the last merge on this line and the working tree, tests and all. Without a merge: every
 * file, since nothing says that the lane ever ran.
 */
export function changedSinceMerge(root: string): string[] {
  const git = (...args: string[]) => capture('git', args, { cwd: root }).split('\n').filter(Boolean);
  // At a merge itself the change is what it brought in.
  const isMerge = (git('rev-list', '--parents', '-n', '1', 'HEAD')[0]?.split(' ').length ?? 0) > 2;
  const base = isMerge ? ['HEAD^1'] : git('rev-list', '--merges', '-n', '1', 'HEAD');
  if (base[0] === undefined) return git('ls-files');
  return [...git('diff', '--name-only', base[0]), ...git('ls-files', '--others', '--exclude-standard')];
}

/** Why the lane runs, or null when it need not. `full`: the value of CI_FULL. */
export function reasonToRun(root: string, full: string | undefined): string | null {
  if (full === '1') return 'CI_FULL=1';
  const files = deciding(changedSinceMerge(root));
  if (files.length === 0) return null;
  return `changed: ${files.slice(0, 5).join(', ')}${files.length > 5 ? ` and ${String(files.length - 5)} more` : ''}`;
}
