import type { NetworkConnection } from '@plimsoll/contract/wire/network';
import { expect, it } from 'vitest';
import { drawPage } from '../../../testing/draw-page.tsx';
import { ConnectionsTable } from './connections-table.tsx';

const SERVER = '00000000-0000-4000-8000-000000000001';
const connection = (remote: string, score: number, given: Partial<NetworkConnection> = {}): NetworkConnection => ({
  server_id: SERVER,
  timestamp: 1_795_000_000,
  remote_ip: remote,
  remote_port: 443,
  local_port: 50_000 + score,
  protocol: 'tcp',
  family: remote.includes(':') ? 'ipv6' : 'ipv4',
  state: 'ESTABLISHED',
  pid: 812,
  importance_score: score,
  ...given,
});
const CONNECTIONS = [
  connection('203.0.113.0', 80),
  connection('2001:db8:1:2::', 50, { pid: -1, state: 'TIME_WAIT' }),
  connection('198.51.100.0', 49),
  ...Array.from({ length: 25 }, (_, index) => connection(`192.0.${String(index)}.0`, 10)),
];
const draw = (connections: readonly NetworkConnection[]) =>
  drawPage(<ConnectionsTable serverId={SERVER} hostname="web-01" />, {
    'GET /api/data/network/connections': { data: { connections, total: connections.length } },
  });

it('lists the twenty most important connections, with N/A where no process is known', async () => {
  const { screen } = await draw(CONNECTIONS);
  const table = screen.getByRole('table', { name: 'Top network connections' });
  const rows = () => [...table.element().querySelectorAll('tbody tr')].map((row) => (row as HTMLElement).innerText);
  await expect.element(table).toBeVisible();
  expect(rows()).toHaveLength(20);
  expect(
    rows()
      .slice(0, 3)
      .map((row) => row.split(/\s*\t\s*/).join(' | ')),
  ).toEqual([
    '203.0.113.0 | 443 | 50080 | ESTABLISHED | 812 | 80 High',
    '2001:db8:1:2:: | 443 | 50050 | TIME_WAIT | N/A | 50 Medium',
    '198.51.100.0 | 443 | 50049 | ESTABLISHED | 812 | 49 Low',
  ]);
  await expect.element(screen.getByText('20 of 28')).toBeVisible();
  await expect.element(screen.getByText('addresses masked to /24 and /64')).toBeVisible();
});

it('says that there is none', async () => {
  const { screen } = await draw([]);
  await expect.element(screen.getByText('No connection data available')).toBeVisible();
});
