import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import type { FleetServer } from '../../testing/fleet.ts';
import type { HostSample } from '../../testing/host-report.ts';
import { onStage, silence } from '../../testing/stage.ts';

const GB = 2 ** 30;
const MB = 2 ** 20;
const mount = (name: string, usedGb: number, sizeGb: number, inodes: number | null) => ({
  mount: name,
  device: '/dev/sda1',
  type: 'ext4',
  size_bytes: sizeGb * GB,
  used_bytes: usedGb * GB,
  available_bytes: (sizeGb - usedGb) * GB,
  inodes_total: inodes === null ? null : 1000,
  inodes_used: inodes,
});
const link = (name: string, receive: number | null, errors: number | null, up: boolean | null) => ({
  name,
  receive_bytes_per_second: receive,
  transmit_bytes_per_second: receive === null ? null : 0,
  receive_errors_per_second: errors,
  transmit_errors_per_second: errors,
  receive_drops_per_second: 0,
  transmit_drops_per_second: 0,
  up,
});
const unit = (name: string, state: string, restarts: number | null) => ({ name, state, sub_state: null, restarts });
const waiting = (avg10: number) => ({ avg10, avg60: avg10 / 2, avg300: 0, total_seconds: 1 });
const INSTEAD: NonNullable<HostSample['instead']> = {
  pressure: { cpu: { some: waiting(12.5) }, memory: null, io: { some: waiting(3), full: waiting(1) } },
  temperatures: [
    { chip: 'nvme', label: 'Composite', celsius: 38.9, critical_celsius: null },
    { chip: 'nvme', label: 'Composite', celsius: 36, critical_celsius: null },
    { chip: 'coretemp', label: 'Package id 0', celsius: 61, critical_celsius: 100 },
  ],
  containers: [
    {
      id: '3f2a9c1b7d5e',
      name: 'cache',
      image: 'redis:7',
      runtime: 'docker',
      cpu_percent: 2,
      memory_bytes: 64 * MB,
      memory_limit_bytes: 128 * MB,
    },
    {
      id: '7d5e3f2a9c1b',
      name: null,
      image: null,
      runtime: null,
      cpu_percent: 140.25,
      memory_bytes: null,
      memory_limit_bytes: null,
    },
  ],
  units: [
    ...Array.from({ length: 9 }, (_, index) => unit(`calm-${index}.service`, 'active', 0)),
    unit('nginx.service', 'failed', 3),
    unit('worn.service', 'active', 12),
    unit('old.service', 'inactive', null),
  ],
  filesystems: [mount('/', 20, 100, 250), mount('/var', 91, 100, null), mount('/srv', 0, 4096, 0)],
  interfaces: [link('eth0', 12.5 * MB, 1.5, true), link('wg0', null, null, false), link('lo', 0, 0, null)],
  agent: {
    version: '0.1.0',
    spool_bytes: 12 * 1024,
    spool_oldest_age_seconds: 240,
    retries: 2,
    last_error: 'could not reach the dashboard',
    clock_skew_seconds: -2.1,
    sources: {
      cpu: { ok: true, duration_ms: 0.4, error: null },
      'disk-io': { ok: false, duration_ms: 12.3, error: 'EACCES: permission denied, open /proc/diskstats' },
    },
  },
};
const machine = (hostname: string, instead?: HostSample['instead']): FleetServer => ({
  hostname,
  region: 'eu-central-1',
  history: 600,
  sample: () => ({ cpu: 41.5, memory: 50, disk: 91, ...(instead === undefined ? {} : { instead }) }),
});

describe('a server, in detail', () => {
  const ids = new Map<string, string>();
  const path = (hostname: string) => paths.server(ids.get(hostname) ?? '');
  const stage = onStage(async (given) => {
    const token = await enrolmentToken(given.product.origin, given.product.token);
    for (const server of [machine('db-01', INSTEAD), machine('db-02'), machine('db-03'), machine('db-04')]) {
      ids.set(server.hostname, (await enrol(given.product.origin, token, server)).id);
    }
    await silence(given, ids.get('db-03') ?? '', 15);
    // The server now belongs to no account, so this account cannot see it.
    await given.sql('UPDATE server SET account_id = NULL WHERE id = $1', [ids.get('db-04')]);
  });

  it('tells facts, mounts, interfaces, and which source of the agent failed and why', () =>
    stage.visit(path('db-01'), async (page) => {
      const information = page
        .getByRole('region', { name: 'Server Information' })
        .or(page.locator('section').filter({ has: page.getByRole('heading', { name: 'Server Information' }) }));
      const facts = async () => (await information.first().innerText()).replaceAll(/\s+/g, ' ');
      for (const fact of [
        'Hostname db-01',
        'Platform Linux 6.1.0-28',
        'Architecture amd64',
        'Processor AMD EPYC 7763',
        'Region eu-central-1',
        'Agent 0.1.0, reports every 60 s',
        'Tags none',
      ])
        await expect.poll(facts).toContain(fact);
      const cellsOf = async (table: string) =>
        (await page.getByRole('table', { name: table }).locator('tbody tr').allInnerTexts()).map((row) =>
          row
            .split(/\s*\t\s*|\n/)
            .map((cell) => cell.trim())
            .filter(Boolean)
            .join(' | '),
        );
      const cells = (table: string) => expect.poll(() => cellsOf(table));
      // Fullest first; an unknown share of inodes is N/A, an empty disk is 0.
      await cells('Filesystems').toEqual([
        '/var | 91% | N/A, too little history | 9 GB | 100 GB | N/A | ext4'.replaceAll(' GB', 'GB'),
        '/ | 20% | N/A, too little history | 80 GB | 100 GB | 25% | ext4'.replaceAll(' GB', 'GB'),
        '/srv | 0% | N/A, too little history | 4 TB | 4 TB | 0% | ext4'.replaceAll(' TB', 'TB'),
      ]);
      await cells('Interfaces').toEqual([
        'eth0 | 12.5MB/s | 0.000MB/s | 3.0/s | 0.0/s | up',
        'wg0 | N/A | N/A | N/A | 0.0/s | down',
        'lo | 0.000MB/s | 0.000MB/s | 0.0/s | 0.0/s | unknown',
      ]);
      await cells('Pressure').toEqual([
        'CPU | some | 12.50% | 6.25% | 0.00%',
        'Memory | some | N/A, not available from this kernel',
        'Memory | all | N/A, not available from this kernel',
        'Disk | some | 3.00% | 1.50% | 0.00%',
        'Disk | all | 1.00% | 0.50% | 0.00%',
      ]);
      await page.getByText('load 2.50, 2.00, 1.50 over 1, 5, 15 min, 0.31 a core').waitFor();
      await cells('Temperatures').toEqual([
        'Package id 0 | coretemp | 61°C | 100°C',
        'Composite | nvme | 39°C | N/A, not reported',
        'Composite | nvme | 36°C | N/A, not reported',
      ]);
      await cells('Containers').toEqual([
        '7d5e3f2a9c1b | 140.3% | N/A, not reported | none | unknown | unknown',
        'cache | 2.0% | 64MB | 128MB | redis:7 | docker',
      ]);
      // Failed units first, then the most restarted; eight until a button shows the rest.
      await cells('Units').toHaveLength(8);
      expect((await cellsOf('Units')).slice(0, 3)).toEqual([
        'nginx.service | failed | 3',
        'worn.service | active | 12',
        'calm-0.service | active | 0',
      ]);
      await page.getByText('12 units, 1 failed').waitFor();
      await page.getByRole('button', { name: 'All 12' }).click();
      const last = async () => (await cellsOf('Units')).at(-1);
      await expect.poll(last).toBe('old.service | inactive | N/A, this systemd version does not report it');
      await cells('Agent sources').toEqual([
        'cpu | ok | 0.4ms',
        'disk-io | failed | 12.3ms | EACCES: permission denied, open /proc/diskstats',
      ]);
      await page.getByText('spool 12 KB, oldest 4 min, clock −2.1 s, could not reach the dashboard').waitFor();
      const meter = page.getByRole('table', { name: 'Filesystems' }).getByRole('meter').first();
      expect(await meter.getAttribute('aria-label')).toBe('/var 91 %, 11 over the line');
    }));

  it('keeps no row of a report before, also of sensors that share a name as two drives do', () =>
    stage.visit(path('db-01'), async (page) => {
      const table = page.getByRole('table', { name: 'Temperatures' });
      const rows = table.locator('tbody tr');
      await rows.nth(2).waitFor();
      const set = (temperatures: unknown) =>
        stage.sql(
          `UPDATE server_parts SET inside = jsonb_set(inside::jsonb, '{temperatures}', $1::jsonb)::json
           WHERE server_key = (SELECT key FROM server WHERE id = $2)`,
          [JSON.stringify(temperatures), ids.get('db-01')],
        );
      const nvme = { chip: 'nvme', label: 'Composite', celsius: 70, critical_celsius: null };
      await set([nvme, { ...nvme, chip: 'coretemp', label: 'Package id 0', celsius: 40 }]);
      await page.getByRole('button', { name: 'Refresh', exact: true }).last().click();
      await table.getByText('70').waitFor();
      await expect.poll(() => rows.count()).toBe(2);
      await set(INSTEAD.temperatures);
    }));

  it('names the fault of a tag beside the field, keeps what was typed when saving fails, then saves', () =>
    stage.visit(path('db-01'), async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click();
      const dialog = page.getByRole('dialog', { name: 'Name and tags' });
      const name = dialog.getByLabel('Display name');
      const tags = dialog.getByLabel(/^Tags/);
      const save = dialog.getByRole('button', { name: 'Save' });
      await name.fill('Primary database');
      await tags.fill('ci, no spaces=x');
      await dialog.getByRole('alert').getByText('"no spaces" cannot be a tag').waitFor();
      await expect.poll(() => save.isDisabled()).toBe(true);
      await tags.fill('ci, team=web, note=a\\,b');
      await dialog.getByRole('alert').waitFor({ state: 'detached' });

      await page.route('**/api/servers/*', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 500, json: { success: false, detail: 'the disk is full', code: 'internal' } })
          : route.continue(),
      );
      await save.click();
      await dialog.getByRole('alert').getByText('the disk is full').waitFor();
      expect([await name.inputValue(), await tags.inputValue()]).toEqual([
        'Primary database',
        'ci, team=web, note=a\\,b',
      ]);
      await page.unrouteAll();
      await save.click();
      await page.getByRole('heading', { name: 'Primary database', level: 1 }).waitFor();
      await page.getByText('ci, note=a,b, team=web', { exact: true }).waitFor();
      await expect.poll(() => page.title()).toContain('Primary database');
      const { server } = await stage.product.get<{ server: object }>(`/api${path('db-01')}`);
      expect(server).toMatchObject({ display_name: 'Primary database', tags: { ci: '', team: 'web', note: 'a,b' } });

      await page.getByRole('button', { name: 'Edit' }).click();
      await expect.poll(() => tags.inputValue()).toBe('ci, note=a\\,b, team=web');
      await name.fill('dropped');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Edit' }).click();
      await name.fill('');
      await save.click();
      await page.getByRole('heading', { name: 'db-01', level: 1 }).waitFor();
    }));

  it('shows a silent server grey, with the age of what it shows', () =>
    stage.visit(path('db-03'), async (page) => {
      const header = page.locator('header').filter({ has: page.getByRole('heading', { level: 1 }) });
      const words = async () => (await header.innerText()).replaceAll(/\s+/g, ' ');
      await expect.poll(words).toMatch(/db-03 Offline .*Last report 1\d min ago/);
      await header.getByText(/^Last report 1\d min ago$/).waitFor();
      const meters = page.getByRole('group', { name: 'Metrics' }).getByRole('meter');
      const bands = () => meters.evaluateAll((all) => all.map((meter) => meter.getAttribute('data-band')));
      await expect.poll(async () => new Set(await bands())).toEqual(new Set(['stale']));
    }));

  it('exports what the charts show, and leads to the previous server by a key', async () => {
    // A backlog that arrives late is in the chart after the next run of the rollups.
    const series = `/api/data/metrics/timeseries?hours=24&server_id=${ids.get('db-01') ?? ''}`;
    const known = async () =>
      (await stage.product.get<{ timeseries: { cpu: number | null }[] }>(series)).timeseries.filter(
        ({ cpu }) => cpu === 41.5,
      ).length;
    await expect.poll(known, { timeout: 90_000 }).toBeGreaterThan(2);
    await stage.visit(path('db-01'), async (page) => {
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export', exact: true }).click();
      await page.getByRole('menuitem', { name: 'CSV' }).click();
      const download = await saved;
      expect(download.suggestedFilename()).toMatch(/^db-01-metrics-[\dt-]+-to-[\dt-]+\.csv$/);
      const file = await download.path();
      const [head, ...lines] = (await readFile(file, 'utf8')).trim().split('\r\n');
      expect(head).toMatch(/^time,cpu_avg,cpu_min,cpu_max,memory_avg/);
      const rows = lines.filter((line) => line.includes(',41.5,'));
      expect(rows.length).toBeGreaterThan(2);
      expect(rows[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,41\.5,/);
      // The first of the list: before it comes the last. Another account's server is not in it.
      await page.keyboard.press('[');
      await page.getByRole('heading', { name: 'db-03', level: 1 }).waitFor();
    });
  });

  it('tells nothing of what is another account’s, of what is not there, and of what is no id', async () => {
    const unknown = [path('db-04'), paths.server('00000000-0000-4000-8000-000000000000'), paths.server('no-id')];
    for (const missing of unknown) {
      await stage.visit(missing, async (page) => {
        await page.getByRole('heading', { name: 'Server not found', level: 1 }).waitFor();
        expect(await page.locator('main').innerText()).not.toMatch(/db-04|Retry/);
        expect(await page.getByRole('link', { name: 'Back to Servers' }).getAttribute('href')).toBe(paths.servers);
      });
    }
  });

  it('deletes only when its name was typed, and not on a second thought', () =>
    stage.visit(path('db-02'), async (page) => {
      const dialog = page.getByRole('dialog', { name: 'Delete db-02?' });
      const confirm = dialog.getByRole('button', { name: 'Delete server' });
      await page.getByRole('button', { name: 'Delete' }).click();
      await dialog.getByLabel('Name of the server').fill('db-01');
      await expect.poll(() => confirm.isDisabled()).toBe(true);
      await dialog.getByLabel('Name of the server').fill('db-02');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await stage.call('GET', `/api${path('db-02')}`)).status).toBe(200);

      await page.getByRole('button', { name: 'Delete' }).click();
      await expect.poll(() => dialog.getByLabel('Name of the server').inputValue()).toBe('');
      await dialog.getByLabel('Name of the server').fill('db-02');
      await confirm.click();
      await page.getByRole('heading', { name: 'Servers', level: 1 }).waitFor();
      await page.getByText('2 servers').first().waitFor();
      await page.locator('article').filter({ hasText: 'db-02' }).waitFor({ state: 'detached' });
      expect((await stage.call('GET', `/api${path('db-02')}`)).status).toBe(404);
    }));
});
