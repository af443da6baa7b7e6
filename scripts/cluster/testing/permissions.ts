import { kubectl } from './release.ts';

/** Returns the rights of a service account as `verbs resource` lines; `resource` with its group and, in brackets, the names. */
export function permissionsOf(namespace: string, account: string): string[] {
  const groups = ['system:authenticated', 'system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  const as = [
    '--as',
    `system:serviceaccount:${namespace}:${account}`,
    ...groups.flatMap((group) => ['--as-group', group]),
  ];
  const table = kubectl(['auth', 'can-i', '--list', '-n', namespace, ...as]);
  return table.trim().split('\n').slice(1).flatMap(permissionOf).toSorted();
}

/** Columns: resources, non-resource URLs in brackets, resource names in brackets, verbs in brackets. */
function permissionOf(line: string): string[] {
  const match = /^(\S*)\s+\[([^\]]*)\]\s+\[([^\]]*)\]\s+\[([^\]]*)\]/.exec(line);
  if (!match) throw new Error(`kubectl auth can-i --list: cannot read "${line}"`);
  const [, resource = '', urls = '', names = '', verbs = ''] = match;
  if (urls !== '') return [`${verbs} ${urls}`];
  return [`${verbs} ${resource}${names === '' ? '' : `[${names}]`}`];
}
