import { afterEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { paths } from '../../paths.ts';
import { drawApp } from '../../testing/draw-app.tsx';
import type { Answers } from '../../testing/draw-page.tsx';
import { everyAnswer, ID } from '../../testing/every-answer.ts';
import { LINES } from '../../testing/parts-samples.ts';
import { daySeries, SERIES_END } from '../../testing/sample-series.ts';

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
const HOUR = 3600;
const PARTS = {
  kernel_limits: {
    conntrack: { used: 49_152, max: 65_536 },
    open_files: { used: 1920, max: null },
    ephemeral_ports: null,
    clock_synchronized: false,
  },
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
  filesystems: [
    mount('/', 20, 100, 250),
    mount('/var', 91, 100, null),
    { ...mount('/srv', 0, 4096, 0), became_read_only: true },
  ],
  interfaces: [link('eth0', 12.5 * MB, 1.5, true), link('wg0', null, null, false), link('lo', 0, 0, null)],
  load: { one: 2.5, five: 2, fifteen: 1.5 },
  agent: {
    spool_bytes: 12 * 1024,
    spool_oldest_age_seconds: 240,
    last_error: 'could not reach the dashboard',
    clock_skew_seconds: -2.1,
  },
  sources: {
    cpu: { ok: true, duration_ms: 0.4, error: null },
    'disk-io': { ok: false, duration_ms: 12.3, error: 'EACCES: permission denied, open /proc/diskstats' },
  },
} satisfies Partial<ServerDetail>;
const PATH = `/api/servers/${ID}`;
const FILLED = (everyAnswer(PATH, Date.now()) as { server: ServerDetail }).server;
const DB: ServerDetail = {
  ...FILLED,
  ...PARTS,
  hostname: 'db-01',
  display_name: null,
  platform: 'linux',
  kernel: '6.1.0-28',
  architecture: 'amd64',
  cpu_model: 'AMD EPYC 7763',
  cpu_cores: 8,
  region: 'eu-central-1',
  cli_version: '0.1.0',
  report_interval_seconds: 60,
  tags: {},
  lines: LINES,
  disk_forecasts: [],
  disk_forecast: null,
};
const answering = (server: ServerDetail, more: Answers = {}): Answers => ({
  [`GET ${PATH}`]: { data: { server } },
  ...more,
});
async function show(answers: Answers = answering(DB), search = '') {
  const drawn = await drawApp(`${paths.server(ID)}${search}`, { answers, width: 1440 });
  await drawn.settled();
  return drawn;
}
const table = (name: string) => page.getByRole('table', { name });
const rowsOf = (name: string) => [...table(name).element().querySelectorAll<HTMLElement>('tbody tr')];
const cells = (name: string) =>
  rowsOf(name).map((row) =>
    row.innerText
      .split(/\s*\t\s*|\n/)
      .map((cell) => cell.trim())
      .filter(Boolean)
      .join(' | '),
  );
const chart = (name: string) => document.querySelector(`section[aria-label="${name}"]`);
const query = () => new URLSearchParams(window.location.search);

afterEach(() => vi.restoreAllMocks());

describe('the details of a server', () => {
  it('say that its reports are refused, and call its figures old', async () => {
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
    const detail = 'up: Invalid input: expected number, received string';
    const refusal = { since: ago(50), last_at: ago(1), code: 'invalid_item', detail, last_stored_at: ago(51) };
    await show(answering({ ...DB, status: 'refused', last_seen_at: ago(1), refusal }));
    await expect.element(page.getByText(detail)).toBeVisible();
    await expect.element(page.getByText('Refused', { exact: true }).first()).toBeVisible();
    await expect.element(page.getByText('Last report 51 min ago', { exact: true }).first()).toBeVisible();
    expect(page.getByText('reported 1 min ago').elements()).toEqual([]);
  });

  it('name one time at which the disk reaches its line, in the tile and in the table', async () => {
    const reaches = new Date(Date.now() + 2.52 * 86_400_000).toISOString();
    const forecast = {
      mount: '/',
      line: 80,
      reason: null,
      reaches_at: reaches,
      growth_bytes_per_day: 9 * GB,
      based_on_hours: 72,
      confidence: 'high' as const,
      as_of: new Date().toISOString(),
    };
    await show(answering({ ...DB, disk_forecast: forecast, disk_forecasts: [forecast] }));
    await expect.element(page.getByText('at its line in 2.5 d', { exact: true })).toBeVisible();
    expect(cells('Filesystems').find((row) => row.startsWith('/ |'))).toContain('in 2.5 d');
    expect(page.getByText(/\bline 10 %/).elements().length).toBeGreaterThan(0);
  });

  it('tell its facts', async () => {
    await show();
    const panel = [...document.querySelectorAll('section')].find(
      (section) => section.querySelector('h2')?.textContent === 'Server Information',
    );
    const facts = panel?.innerText.replaceAll(/\s+/g, ' ') ?? '';
    for (const fact of [
      'Hostname db-01',
      'Platform Linux 6.1.0-28',
      'Architecture amd64',
      'Processor AMD EPYC 7763',
      'Region eu-central-1',
      'Agent 0.1.0, reports every 60 s',
      'Tags none',
    ])
      expect(facts).toContain(fact);
  });

  it('list mounts fullest first, interfaces, pressure and temperatures, with N/A and its reason', async () => {
    await show();
    // Inodes, and the runtime of containers, stand only in a wider panel.
    expect(cells('Filesystems')).toEqual([
      '/var | 91% | N/A, too little history | 9GB | 100GB | ext4',
      '/ | 20% | N/A, too little history | 80GB | 100GB | ext4',
      '/srv | 0% | N/A, too little history | 4TB | 4TB | ext4, became read-only',
    ]);
    await page.viewport(2560, 900);
    expect(cells('Filesystems').map((row) => row.split(' | ').at(-2))).toEqual(['N/A', '25%', '0%']);
    await page.viewport(1280, 800);
    const meter = table('Filesystems').getByRole('meter').first();
    await expect.element(meter).toHaveAttribute('aria-label', '/var 91 %, 11 over the line');
    expect(cells('Interfaces')).toEqual([
      'eth0 | 12.5MB/s | 0.000MB/s | 3.0/s | 0.0/s | up',
      'wg0 | N/A | N/A | N/A | 0.0/s | down',
      'lo | 0.000MB/s | 0.000MB/s | 0.0/s | 0.0/s | unknown',
    ]);
    expect(cells('Pressure')).toEqual([
      'CPU | some | 12.50% | 6.25% | 0.00%',
      'Memory | some | N/A, not available from this kernel',
      'Memory | all | N/A, not available from this kernel',
      'Disk | some | 3.00% | 1.50% | 0.00%',
      'Disk | all | 1.00% | 0.50% | 0.00%',
    ]);
    await expect.element(page.getByText('load 2.50, 2.00, 1.50 over 1, 5, 15 min, 0.31 a core')).toBeVisible();
    expect(cells('Kernel limits')).toEqual([
      'Tracked connections | 49,152 | 75.0% | 65,536',
      'Open files | 1,920 | N/A, the kernel sets no limit',
      'Outgoing ports | N/A, the last report does not contain it',
    ]);
    await expect.element(page.getByText('clock not synchronised')).toBeVisible();
    expect(cells('Temperatures')).toEqual([
      'Package id 0 | coretemp | 61°C | 100°C',
      'Composite | nvme | 39°C | N/A, not reported',
      'Composite | nvme | 36°C | N/A, not reported',
    ]);
  });

  it('list containers, units, and which source of the agent failed and why', async () => {
    await show();
    expect(cells('Containers')).toEqual([
      '7d5e3f2a9c1b | Not known | 140.3% | N/A, not reported | none | unknown',
      'cache | Not known | 2.0% | 64MB | 128MB | redis:7',
    ]);
    // Failed units first, then the most restarted; eight until a button shows the rest.
    expect(cells('Units')).toHaveLength(8);
    expect(cells('Units').slice(0, 3)).toEqual([
      'nginx.service | failed | 3',
      'worn.service | active | 12',
      'calm-0.service | active | 0',
    ]);
    await expect.element(page.getByText('12 units, 1 failed')).toBeVisible();
    await page.getByRole('button', { name: 'All 12' }).click();
    await expect
      .poll(() => cells('Units').at(-1))
      .toBe('old.service | inactive | N/A, this systemd version does not report it');
    expect(cells('Agent sources')).toEqual([
      'cpu | ok | 0.4ms',
      'disk-io | failed | 12.3ms | EACCES: permission denied, open /proc/diskstats',
    ]);
    await expect
      .element(page.getByText('spool 12 KB, oldest 4 min, clock −2.1 s, could not reach the dashboard'))
      .toBeVisible();
  });

  it('keep no row of a report before, also of sensors that share a name as two drives do', async () => {
    let server = DB;
    await show({ [`GET ${PATH}`]: () => ({ data: { server } }) });
    expect(rowsOf('Temperatures')).toHaveLength(3);
    const nvme = { chip: 'nvme', label: 'Composite', celsius: 70, critical_celsius: null };
    server = { ...DB, temperatures: [nvme, { ...nvme, chip: 'coretemp', label: 'Package id 0', celsius: 40 }] };
    await page.getByRole('button', { name: 'Refresh', exact: true }).click();
    await expect.poll(() => cells('Temperatures')[0]).toContain('70');
    expect(rowsOf('Temperatures')).toHaveLength(2);
  });

  it('of a silent server are grey, with their age', async () => {
    const seen = new Date(Date.now() - 5.2 * 3_600_000).toISOString();
    await show(answering({ ...DB, status: 'offline', last_seen_at: seen }));
    await expect.element(page.getByText('Offline', { exact: true }).first()).toBeVisible();
    await expect.element(page.getByRole('main').getByText(/^Last report 5 h ago$/)).toBeVisible();
    const bands = [...document.querySelectorAll('[aria-label="Metrics"] [role="meter"]')].map((meter) =>
      meter.getAttribute('data-band'),
    );
    expect(new Set(bands)).toEqual(new Set(['stale']));
    // The header and the first chart say it; the other charts do not repeat it.
    const charts = [...document.querySelectorAll('section[aria-label]')];
    const said = charts.filter(({ textContent }) => textContent.includes('last report 5 h ago'));
    expect(said.map((section) => section.getAttribute('aria-label'))).toEqual(['CPU']);
  });
});

describe('the name and tags of a server', () => {
  it('keep what was typed when saving fails, and name the fault of a tag beside the field', async () => {
    let server = DB;
    let isFull = true;
    const { callsTo } = await show({
      [`GET ${PATH}`]: () => ({ data: { server } }),
      [`PUT ${PATH}`]: () => (isFull ? { status: 500, detail: 'the disk is full' } : { data: { server } }),
    });
    const dialog = page.getByRole('dialog', { name: 'Name and tags' });
    const name = dialog.getByLabelText('Display name');
    const tags = dialog.getByLabelText(/^Tags/);
    const save = dialog.getByRole('button', { name: 'Save' });
    const edit = page.getByRole('button', { name: 'Edit' });
    await edit.click();
    await name.fill('Primary database');
    await tags.fill('ci, no spaces=x');
    await expect.element(dialog.getByRole('alert')).toMatchTextContent(/"no spaces" is none/);
    await expect.element(save).toBeDisabled();
    await tags.fill('ci, team=web, note=a\\,b');
    await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument();
    await save.click();
    await expect.element(dialog.getByRole('alert')).toMatchTextContent(/the disk is full/);
    await expect.element(name).toHaveValue('Primary database');
    await expect.element(tags).toHaveValue('ci, team=web, note=a\\,b');

    isFull = false;
    server = { ...DB, display_name: 'Primary database', tags: { ci: '', team: 'web', note: 'a,b' } };
    await save.click();
    await expect.element(page.getByRole('heading', { name: 'Primary database', level: 1 })).toBeVisible();
    await expect.element(page.getByText('ci, team=web, note=a,b', { exact: true })).toBeVisible();
    await expect.poll(() => document.title).toContain('Primary database');
    expect(callsTo('PUT', PATH).at(-1)?.body).toEqual({
      display_name: 'Primary database',
      tags: { ci: '', team: 'web', note: 'a,b' },
    });

    await edit.click();
    await name.fill('dropped');
    await userEvent.keyboard('{Escape}');
    await expect.element(dialog).not.toBeInTheDocument();
    await edit.click();
    await expect.element(name).toHaveValue('Primary database');
    await name.fill('');
    server = DB;
    await save.click();
    await expect.element(page.getByRole('heading', { name: 'db-01', level: 1 })).toBeVisible();
    expect(callsTo('PUT', PATH).at(-1)?.body).toMatchObject({ display_name: null });
  });
});

describe('the deletion of a server', () => {
  it('needs its name, and a second thought forgets what was typed', async () => {
    const { callsTo } = await show(answering(DB, { 'DELETE /api/servers/delete': { data: {} } }));
    const open = page.getByRole('button', { name: 'Delete' });
    const dialog = page.getByRole('dialog', { name: 'Delete db-01?' });
    const typed = dialog.getByLabelText('Name of the server');
    const confirm = dialog.getByRole('button', { name: 'Delete server' });
    await open.click();
    await typed.fill('db-02');
    await expect.element(confirm).toBeDisabled();
    await typed.fill('db-01');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
    await open.click();
    await expect.element(typed).toHaveValue('');
    expect(callsTo('DELETE', '/api/servers/delete')).toEqual([]);
    await typed.fill('db-01');
    await confirm.click();
    await expect.poll(() => window.location.pathname).toBe(paths.servers);
    expect(callsTo('DELETE', '/api/servers/delete').map(({ body }) => body)).toEqual([{ server_id: ID }]);
  });
});

describe('the charts of a server', () => {
  it('have their tools in one row at 1440 px', async () => {
    await show();
    const top = (name: string | RegExp) =>
      page.getByRole('button', { name }).first().element().getBoundingClientRect().top;
    expect(new Set([top('24h'), top(/^What ran at/), top(/^Compare with/), top('Refresh')]).size).toBe(1);
  });

  const drawn = (answer: object) => answering(DB, { 'GET /api/data/metrics/timeseries': { data: answer } });

  it('show a stretch that was typed, and say what is wrong with one', async () => {
    await show(drawn(daySeries(41.5)), '?hours=6');
    await page.getByRole('button', { name: /to now UTC$/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Show a time range' });
    const from = new Date(Date.now() - 4 * HOUR * 1000).toISOString().slice(0, 16);
    const to = new Date(Date.now() - 2 * HOUR * 1000).toISOString().slice(0, 16);
    await dialog.getByLabelText('From (UTC)').fill(to);
    await dialog.getByLabelText('To (UTC)').fill(from);
    await expect.element(dialog.getByText(/at least one minute long/)).toBeVisible();
    await expect.element(dialog.getByRole('button', { name: 'Show' })).toBeDisabled();
    await dialog.getByLabelText('From (UTC)').fill(from);
    await dialog.getByLabelText('To (UTC)').fill(to);
    await dialog.getByRole('button', { name: 'Show' }).click();
    await expect
      .poll(() => Object.fromEntries(query()))
      .toEqual({
        from: String(Date.parse(`${from}Z`) / 1000),
        to: String(Date.parse(`${to}Z`) / 1000),
      });
    await expect.element(page.getByRole('button', { name: 'Last 24 h' })).toBeVisible();
    expect(document.querySelector('[aria-label="Time range"] [aria-pressed="true"]')).toBeNull();
  });

  it('lay yesterday under the present when asked, and keep that in the address', async () => {
    const past = daySeries(30, { daysAgo: 1 });
    const { callsTo } = await show(
      answering(DB, {
        'GET /api/data/metrics/timeseries': ({ path }) => ({
          data: path.includes('start_date') ? past : daySeries(41.5),
        }),
      }),
      '?hours=6',
    );
    await page.getByRole('button', { name: 'Compare with yesterday', pressed: false }).click();
    await expect.poll(() => query().get('compare')).toBe('before');
    const cpu = page.getByRole('region', { name: 'CPU', exact: true });
    await expect.element(cpu.getByText('yesterday')).toBeVisible();
    await expect.poll(() => chart('CPU')?.querySelectorAll('path.curve.ghost').length).toBeGreaterThan(0);
    const asked = callsTo('GET', '/api/data/metrics/timeseries').map(
      ({ path }) => new URLSearchParams(path.split('?')[1]),
    );
    const end = Number(asked.find((each) => each.has('start_date'))?.get('end_date'));
    // Yesterday's stretch ends where the shown one does, a day before.
    expect(SERIES_END - end).toBe(24 * HOUR);
  });

  it('show a gap by its times instead of joining it', async () => {
    const gap = {
      server_id: ID,
      from: SERIES_END - 14 * HOUR,
      to: SERIES_END - 13 * HOUR,
      reason: 'host_off',
      detail: '',
    };
    await show(drawn({ ...daySeries(41.5, { silent: (ago) => ago > 13 && ago < 14 }), gaps: [gap] }), '?hours=24');
    const cpu = page.getByRole('region', { name: 'CPU', exact: true });
    await expect.element(cpu.getByText(/^no reports \d\d:\d\d–\d\d:\d\d(, .+)?$/)).toBeVisible();
    const curve = () => chart('CPU')?.querySelector('path.curve:not(.lone)')?.getAttribute('d') ?? '';
    await expect.poll(() => curve().match(/M/g)?.length).toBe(2);
  });

  it('name the hours whose samples the time-series store does not answer, and why', async () => {
    const unavailable = [4, 3, 2, 1].map((hours) => ({
      from: SERIES_END - hours * 2 * HOUR,
      to: SERIES_END - (hours * 2 - 1) * HOUR,
      reason: 'store_unavailable',
      detail: 'The time-series store does not answer. Rollups are shown instead.',
    }));
    await show(drawn({ ...daySeries(41.5), unavailable }), '?hours=24');
    const note = page.getByText(/^\d\d:\d\d–\d\d:\d\d: The time-series store does not answer\./);
    await expect.poll(() => note.elements().length).toBe(3);
    await expect.element(page.getByText('1 more time of this range.')).toBeVisible();
  });

  it('are exported as shown, under the name of the server and the stretch', async () => {
    const saved: { name: string; text: Promise<string> }[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, text: fetch(this.href).then((file) => file.text()) });
    });
    await show(drawn(daySeries(41.5)), '?hours=24');
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: 'CSV' }).click();
    await expect.poll(() => saved).toHaveLength(1);
    expect(saved[0]?.name).toMatch(/^db-01-metrics-[\dt-]+-to-[\dt-]+\.csv$/);
    const [head, ...lines] = ((await saved[0]?.text) ?? '').trim().split('\r\n');
    expect(head).toMatch(/^time,cpu_avg,cpu_min,cpu_max,memory_avg/);
    expect(lines).toHaveLength(145);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,41\.5,/);
  });
});
