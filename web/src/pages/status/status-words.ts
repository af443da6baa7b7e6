import type { PublicServerState } from '@plimsoll/contract/rules/status-page-limits';
import type { PublicStatusPage } from '@plimsoll/contract/wire/status-pages';

export const STATE_NAME: Record<PublicServerState, string> = {
  offline: 'Offline',
  over_line: 'High load',
  operational: 'Operational',
  not_reporting: 'Not reporting yet',
};

const share = (count: number, total: number): string =>
  `${count === total ? `All ${total}` : `${count} of ${total}`} servers ${count === 1 ? 'is' : 'are'}`;

/** Returns the answer of the page in one sentence: the worst state and how many servers are in it. */
export function summaryWords({ servers }: Pick<PublicStatusPage, 'servers'>): string {
  const total = servers.length;
  const count = (state: PublicServerState) => servers.filter((server) => server.state === state).length;
  const [offline, over, silent] = [count('offline'), count('over_line'), count('not_reporting')];
  if (total === 0) return 'This page has no servers';
  const subject = (worst: number) => (total === 1 ? 'The server is' : share(worst, total));
  if (offline > 0) return `${subject(offline)} offline`;
  if (over > 0) return `${subject(over)} under high load`;
  if (silent === total) return total === 1 ? 'The server has not reported yet' : 'No server has reported yet';
  if (silent > 0) return `${subject(total - silent)} operational, ${silent} not reporting yet`;
  return total === 1 ? 'The server is operational' : 'All servers are operational';
}
