import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import type { HostSample } from '../../testing/host-report.ts';
import { addressed, onStage } from '../../testing/stage.ts';

const MB = 1_048_576;
const counts = (timeWait: number, closeWait: number) => ({
  total: 2000,
  established: 318,
  listen: 24,
  time_wait: timeWait,
  close_wait: closeWait,
  syn_sent: 1,
  syn_recv: 0,
});
type Connection = NonNullable<HostSample['connections']>[number];
const connection = (remote: string, score: number, given: Partial<Connection> = {}): Connection => ({
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
  // An agent that did not mask: the API does it again.
  connection('203.0.113.77', 80),
  connection('2001:db8:1:2:3:4:5:6', 50, { pid: -1, state: 'TIME_WAIT' }),
  connection('198.51.100.9', 49),
  ...Array.from({ length: 25 }, (_, index) => connection(`192.0.2.${index}`, 10, { local_port: 40_000 + index })),
];

/** The figures above the charts: name, value with its unit, band. */
async function tiles(page: Page): Promise<string[]> {
  const all = page.getByRole('group', { name: 'Network now' }).locator('> div');
  return (await all.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
}

describe('Network', () => {
  let web = '';
  let db = '';
  const stage = onStage(async ({ product }) => {
    const token = await enrolmentToken(product.origin, product.token);
    const machine = (hostname: string, sample: Partial<HostSample>) =>
      enrol(product.origin, token, {
        hostname,
        history: 600,
        sample: () => ({ cpu: 20, memory: 30, disk: 40, ...sample }),
      });
    web = (
      await machine('web-01', {
        receive: 20 * MB,
        transmit: 0.5 * MB,
        connections: CONNECTIONS,
        instead: { connection_counts: counts(2001, 51) },
      })
    ).id;
    db = (
      await machine('db-01', { receive: 4 * MB, transmit: 1.25 * MB, instead: { connection_counts: counts(1000, 50) } })
    ).id;
    await machine('dark-01', { instead: { interfaces: [] } });
  });

  it('holds one server to its limits, and a sum to none', () =>
    stage.visit(`${paths.network}?server=${web}`, async (page) => {
      await page.getByText('Bandwidth and connections, web-01.').waitFor();
      await expect
        .poll(() => tiles(page))
        .toEqual([
          'Inbound 20.0MB/s',
          'Outbound 0.500MB/s',
          'Established 318 of 2,000 connections',
          'Time wait 2,001 amber above 1,000',
          'Close wait 51 amber above 50',
        ]);
      const bands = () =>
        page
          .getByRole('group', { name: 'Network now' })
          .locator('> div')
          .evaluateAll((all) => all.map((tile) => tile.getAttribute('data-band')));
      await expect.poll(bands).toEqual(['ok', 'ok', 'ok', 'over', 'near']);
      await page.getByRole('combobox', { name: /Server/ }).selectOption({ label: 'db-01' });
      await addressed(page, `server=${db}`);
      await expect.poll(async () => (await tiles(page))[1]).toBe('Outbound 1.25MB/s');
      await expect.poll(bands).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
      await page.getByRole('combobox', { name: /Server/ }).selectOption({ label: 'All servers' });
      await page.getByText('Bandwidth and connections, sum of 3 servers.').waitFor();
      await expect.poll(async () => (await tiles(page))[3]).toMatch(/^Time wait [\d,]+ limits apply to one server$/);
      await expect.poll(bands).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
    }));

  it('keeps server and range in the address, and draws both charts with their names', () =>
    stage.visit(`${paths.network}?server=${db}&hours=1`, async (page) => {
      await page.getByRole('button', { name: '1h', exact: true, pressed: true }).waitFor();
      await page.locator('section[aria-label="Bandwidth"] path.curve').nth(1).waitFor({ state: 'attached' });
      const names = page.locator('section[aria-label="Bandwidth"] header').getByText(/^(?:In|Out)bound/);
      await expect.poll(() => names.count()).toBe(2);
      await page.getByRole('button', { name: '12h' }).click();
      await addressed(page, `server=${db}&hours=12`);
      await page.getByRole('button', { name: '24h' }).click();
      await addressed(page, `server=${db}`);
    }));

  it('lists the twenty most important connections, masked, with N/A where no process is known', () =>
    stage.visit(paths.server(web), async (page) => {
      const table = page.getByRole('table', { name: 'Top network connections' });
      await expect.poll(() => table.locator('tbody tr').count()).toBe(20);
      const rows = (await table.locator('tbody tr').allInnerTexts()).map((row) => row.split(/\s*\t\s*/).join(' | '));
      expect(rows.slice(0, 3)).toEqual([
        '203.0.113.0 | 443 | 50080 | ESTABLISHED | 812 | 80 High',
        '2001:db8:1:2:: | 443 | 50050 | TIME_WAIT | N/A | 50 Medium',
        '198.51.100.0 | 443 | 50049 | ESTABLISHED | 812 | 49 Low',
      ]);
      await page.getByText('20 of 28').waitFor();
      expect(await page.locator('body').innerHTML()).not.toContain('203.0.113.77');
      await page.getByText('addresses masked to /24 and /64').waitFor();
    }));
});
