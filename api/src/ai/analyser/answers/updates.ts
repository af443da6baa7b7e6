import { cell, escaped, moment, plural, rowsOf, table } from '../reports.ts';
import { statusOf, type Content, type Write } from './write.ts';

const yesNo = (value: unknown): string => (value === true ? 'yes' : value === false ? 'no' : 'N/A');
/** "have pending updates"; the verb of one server and of several. */
const WANTED: Record<string, readonly [one: string, many: string]> = {
  pending: ['has pending updates', 'have pending updates'],
  none: ['has no pending updates', 'have no pending updates'],
  security: ['has pending security updates', 'have pending security updates'],
  no_security: ['has no pending security updates', 'have no pending security updates'],
  reboot: ['waits for a reboot', 'wait for a reboot'],
  no_reboot: ['waits for no reboot', 'wait for no reboot'],
};

/** "web-1 has 17 pending updates, 9 of them for security; it waits for a reboot." */
function oneServer(row: Content, now: number): string {
  const { pending, security, reboot_required: reboot, checked_at: at, status } = row;
  const many = typeof pending === 'number' ? plural(pending, 'pending update') : 'an unknown number of pending updates';
  const known =
    typeof security === 'number' ? `${String(security)} of them for security` : 'how many for security: N/A';
  const waits =
    reboot === true ? 'it waits for a reboot' : reboot === false ? 'it waits for no reboot' : 'reboot required: N/A';
  const silent =
    status === 'active' ? '' : ` It is ${statusOf(status)}, last report ${moment(row['last_seen_at'], now)}.`;
  return `**${cell(row['hostname'])} has ${many}, ${known}; ${waits}.** Counted ${moment(at, now)}.${silent}`;
}

export const updates: Write = (content, asked, now) => {
  const [server] = asked.names;
  const [total, reporting, looked, servers] = ['total', 'reporting', 'looked_at', 'servers'].map((name) =>
    Number(content[name] ?? 0),
  ) as [number, number, number, number];
  const rows = rowsOf(content, 'updates');
  const [first] = rows;
  if (reporting === 0)
    return server === undefined
      ? `**No server reports its updates: N/A.** ${plural(looked, 'server')} looked at.`
      : `**${escaped(server)} does not report its updates: N/A.**`;
  if (server !== undefined && first !== undefined) return oneServer(first, now);
  const rest = looked < servers ? ` Looked at ${String(looked)} of ${plural(servers, 'server')}.` : '';
  const among = ` Of ${plural(reporting, 'server')} that report${reporting === 1 ? 's' : ''} updates.${rest}`;
  const [one, many] = WANTED[String(asked.input['wanted'])] ?? ['reports updates', 'report updates'];
  if (total === 0) return `**No server ${one}.**${among}`;
  const head = `**${plural(total, 'server')} ${total === 1 ? one : many}.**${among}`;
  if (asked.isCount) return head;
  return `${head}\n\n${table(
    ['server', 'pending', 'security', 'reboot required', 'counted'],
    rows
      .slice(0, asked.limit)
      .map((row) => [
        cell(row['hostname']),
        cell(row['pending']),
        cell(row['security']),
        yesNo(row['reboot_required']),
        moment(row['checked_at'], now),
      ]),
  )}`;
};
