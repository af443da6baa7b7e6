import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import type { ActivityEvent } from '@plimsoll/contract/wire/activity';
import type { Process, ProcessSnapshotAnswer } from '@plimsoll/contract/wire/processes';
import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { paths } from '../../../paths.ts';
import { drawApp, emptied } from '../../../testing/draw-app.tsx';
import type { Answers } from '../../../testing/draw-page.tsx';
import { everyAnswer, ID } from '../../../testing/every-answer.ts';
import { daySeries, SERIES_END } from '../../../testing/sample-series.ts';
import { momentParameter, parseMoment } from '../../../time/moment.ts';

const HOUR = 3600;
const CHARTS = ['CPU', 'Memory', 'Disk', 'IO Wait', 'IOPS'];
const AT = SERIES_END - 3 * HOUR;
const NOW = Date.now() / 1000;
const snapshot = everyAnswer('/api/data/processes/at', Date.now()) as ProcessSnapshotAnswer;
const process = (pid: number, name: string, cpu: number): Process => ({
  ...(snapshot.processes[0] as Process),
  pid,
  name,
  command: `/usr/bin/${name}`,
  user: 'builder',
  cpu_usage: cpu,
  server_cpu_cores: 2,
  memory_kb: 512 * 1024,
});
const taken = (given: Partial<ProcessSnapshotAnswer> = {}) => ({
  data: {
    ...snapshot,
    snapshot_at: AT - 300,
    list: 'minute',
    next_at: null,
    kept_since: NOW - 14 * 86_400,
    processes: [process(11, 'rustc', 188.4), process(12, 'ld', 20), process(1, 'systemd', 0.1)],
    ...given,
  },
});
const event = (id: string, at: number, message: string): ActivityEvent => ({
  id,
  server_id: ID,
  hostname: 'build-01',
  event_type: 'service_restart',
  service_name: 'nginx',
  process_name: null,
  message,
  severity: 'info',
  timestamp: at,
});
const EVENTS = [
  event('after', AT + 270, 'cron restarted'),
  event('just', AT - 620, 'php restarted'),
  event('before', AT - 630, 'nginx restarted'),
];
const SERVER = (everyAnswer(`/api/servers/${ID}`, Date.now()) as { server: ServerDetail }).server;
const GAP = { server_id: ID, from: AT - 4 * HOUR, to: AT - 2 * HOUR, reason: 'host_off' as const, detail: '' };
const SERIES = { ...daySeries(50), gaps: [GAP] };

async function show(search: string, answers: Answers = {}, width = 1440) {
  const created = new Date((NOW - 30 * 86_400) * 1000).toISOString();
  const drawn = await drawApp(`${paths.server(ID)}?hours=24${search}`, {
    answers: {
      [`GET /api/servers/${ID}`]: { data: { server: { ...SERVER, created_at: created } } },
      'GET /api/data/metrics/timeseries': { data: SERIES },
      'GET /api/data/processes/at': taken(),
      'GET /api/data/activity': { data: { events: EVENTS, total: EVENTS.length, folded: 0 } },
      'GET /api/data/notifications': emptied('/api/data/notifications', { total: 0 }),
      ...answers,
    },
    width,
  });
  await drawn.settled();
  return drawn;
}
const at = (moment: number) => `&at=${momentParameter(moment)}`;
const moment = () => parseMoment(new URLSearchParams(window.location.search)) ?? Number.NaN;
const panel = page.getByRole('region', { name: 'Processes at that time' });
const slider = (name: string) => page.getByRole('region', { name, exact: true }).getByRole('slider');
const names = () =>
  panel
    .getByRole('rowheader')
    .elements()
    .map(({ textContent }) => textContent);
const count = (selector: string) => document.querySelectorAll(selector).length;

describe('what ran then', () => {
  it('opens at the moment that was clicked, marked on every chart, and closes with Escape', async () => {
    const { callsTo } = await show('');
    const plot = slider('CPU');
    const { width } = plot.element().getBoundingClientRect();
    // 24 hours wide: three hours before the end.
    await plot.click({ position: { x: width * (21 / 24), y: 60 } });
    await expect.element(panel.getByRole('heading', { name: /^Processes at .*\d\d:\d\d$/ })).toBeVisible();
    expect(Math.abs(moment() - AT)).toBeLessThan(900);
    const asked = () =>
      Object.fromEntries(new URLSearchParams(callsTo('GET', '/api/data/processes/at').at(-1)?.path.split('?')[1]));
    await expect.poll(asked).toEqual({ server_id: ID, at: String(moment()) });
    await expect.element(panel.getByText(/^snapshot of \d\d:\d\d, .* before$/)).toBeVisible();
    await expect.poll(names).toEqual(['rustc', 'ld', 'systemd']);
    const row = panel.getByRole('row', { name: /rustc/ }).element() as HTMLElement;
    expect(row.innerText).toMatch(/builder\s+1\.88\s*cores\s+512\s*MB/);
    await expect.element(panel.getByText('CPU in cores. Red: more than 80 % of the machine.')).toBeVisible();
    for (const name of CHARTS) expect(count(`section[aria-label="${name}"] .moment`)).toBe(1);
    await userEvent.keyboard('{Escape}');
    await expect.element(panel).not.toBeInTheDocument();
    expect(moment()).toBeNaN();
    expect(count('.moment')).toBe(0);
  });

  it('goes along a chart by the keyboard and picks with Enter', async () => {
    await show('');
    const plot = slider('Memory');
    (plot.element() as SVGElement).focus();
    await userEvent.keyboard('{End}{ArrowLeft}{PageDown}{ArrowRight}');
    await expect.poll(() => plot.element().getAttribute('aria-valuetext')).toMatch(/\d\d:\d\d, Memory 50\.0$/);
    // The other charts follow.
    for (const name of CHARTS) expect(count(`section[aria-label="${name}"] .cursor`)).toBe(1);
    const chosen = Number(plot.element().getAttribute('aria-valuenow'));
    await userEvent.keyboard('{Enter}');
    await expect.element(panel.getByRole('table')).toBeVisible();
    expect(moment()).toBe(Math.floor(chosen));
  });

  it('lists what happened around it in order of time, and opens from a mark by the keyboard', async () => {
    await show(at(AT));
    const around = panel.getByRole('region', { name: 'Events and alerts around this time' });
    const told = () =>
      around
        .getByRole('listitem')
        .elements()
        .map((item) => (item as HTMLElement).innerText);
    await expect
      .poll(() => told().map((line) => line.split('\n').find((part) => part.endsWith('restarted'))))
      .toEqual(['nginx restarted', 'php restarted', 'cron restarted']);
    expect(told()[0]).toContain('10 min before');
    expect(told()[2]).toContain('4 min after');
    await userEvent.keyboard('{Escape}');
    await expect.element(panel).not.toBeInTheDocument();
    const lane = page
      .getByRole('region', { name: 'Disk', exact: true })
      .getByRole('group', { name: 'Events and alerts' });
    const together = lane.getByRole('button', { name: /^\d events, .*\d\d:\d\d/ });
    await expect.element(together).toBeVisible();
    (together.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(panel.getByText('cron restarted')).toBeVisible();
  });

  it.each([
    ['silent', AT - 3 * HOUR, 'No snapshot: the server was silent', /^No reports \d\d:\d\d–\d\d:\d\d \(.+\)\.$/],
    [
      'older than what is kept',
      NOW - 20 * 86_400,
      'Older than the retention time',
      'Lists of processes are kept for 14 days.',
    ],
  ])('says why there is nothing: %s', async (_, when, sentence, reason) => {
    await show(at(when), {
      'GET /api/data/processes/at': taken({ snapshot_at: null, list: null, processes: [] }),
      'GET /api/data/activity': { data: { events: [], total: 0, folded: 0 } },
    });
    await expect.element(panel.getByText(sentence)).toBeVisible();
    await expect.element(panel.getByText(reason)).toBeVisible();
    await expect.element(panel.getByText('No events or alerts within 15 minutes.')).toBeVisible();
    expect(panel.getByRole('table').elements()).toEqual([]);
  });

  it('keeps the place of what loads, tells a failure, and tries again', async () => {
    const held = Promise.withResolvers<null>();
    let isDown = true;
    const { settled } = await drawnWhileLoading(() =>
      held.promise.then(() => (isDown ? { status: 503, detail: 'The database is busy' } : taken())),
    );
    await expect.element(panel).toBeVisible();
    expect(panel.element().querySelector('.MuiSkeleton-root')).not.toBeNull();
    held.resolve(null);
    await settled();
    await expect.element(panel.getByRole('alert')).toMatchTextContent(/The database is busy/);
    isDown = false;
    await panel.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(names).toContain('rustc');
    expect(panel.getByRole('alert').elements()).toEqual([]);
  });

  it('lies over a narrow screen, opened by a tap', async () => {
    await show('', {}, 390);
    await slider('CPU').click();
    const dialog = page.getByRole('dialog', { name: 'Processes at that time' });
    await expect.element(dialog.getByRole('table')).toBeVisible();
    expect(dialog.element().getBoundingClientRect().width).toBeCloseTo(390, 1);
    await dialog.getByRole('button', { name: 'Close what ran then' }).click();
    await expect.element(dialog).not.toBeInTheDocument();
  });
});

/** Draws the page at the moment while its list of processes still loads. */
const drawnWhileLoading = (list: () => Promise<{ data: object } | { status: number; detail: string }>) =>
  drawApp(`${paths.server(ID)}?hours=24${at(AT)}`, {
    answers: { 'GET /api/data/metrics/timeseries': { data: SERIES }, 'GET /api/data/processes/at': list },
    width: 1440,
  });
