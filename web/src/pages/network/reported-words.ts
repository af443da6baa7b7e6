import type { ServersSummary } from '@plimsoll/contract/wire/servers';

/** Says of how many servers a sum is, and of how many it should be: a server that does not report is not in it. */
export function reportedWords({
  total,
  uninstalled,
  online,
}: Pick<ServersSummary, 'total' | 'uninstalled' | 'online'>) {
  const installed = total - uninstalled;
  if (installed === 1 && online === 1) return 'one server';
  return online === installed ? `sum of ${installed} servers` : `sum of servers, ${online} of ${installed} reported`;
}
