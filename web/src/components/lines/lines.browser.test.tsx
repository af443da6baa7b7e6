import { describe, expect, it } from 'vitest';
import { HOSTILE_LINES } from '@plimsoll/contract/testing/hostile-lines';
import type { LogLine } from '@plimsoll/contract/wire/lines';
import { drawPage } from '../../testing/draw-page.tsx';
import { LinesOfMinute } from './lines-of-minute.tsx';
import { LinesPanel } from './lines-panel.tsx';

const line = (given: Partial<LogLine> = {}): LogLine => ({
  at: '2026-11-20T03:14:07.000Z',
  kind: 'io_error',
  text: 'I/O error, dev sda, sector 80',
  count: 3,
  subject: 'sda',
  server_id: '00000000-0000-4000-8000-000000000009',
  hostname: 'db-1',
  cluster_id: null,
  namespace: null,
  pod: null,
  container: null,
  run: null,
  ended_at: null,
  ...given,
});
const AT = Date.UTC(2026, 10, 20, 3, 15) / 1000;
const minute = (lines: readonly LogLine[], unavailable: string | null = null) =>
  drawPage(<LinesOfMinute place={{ server_id: 's' }} at={AT} />, {
    'GET /api/lines': { data: { lines, unavailable } },
  });

describe('lines of the minute', () => {
  it('have kind, source, count and text, and are asked for around the moment', async () => {
    const { screen, callsTo } = await minute([line()]);
    await expect.element(screen.getByText('I/O error', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('sda', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('3 times in this minute')).toBeVisible();
    await expect.element(screen.getByText('I/O error, dev sda, sector 80')).toBeVisible();
    const [call] = callsTo('GET', '/api/lines');
    expect(call?.path).toBe(`/api/lines?server_id=s&from=${String(AT - 600)}&to=${String(AT + 120)}`);
  });

  it('are text only, whatever a stranger wrote', async () => {
    const text = '<img src=x onerror="alert(1)"> [help](http://evil) \u202Egnp.exe ]]> \u0000';
    const { screen } = await minute([
      line({ text, count: 1, kind: 'last_words', subject: null, pod: 'web', namespace: 'shop', container: 'app' }),
    ]);
    await expect
      .element(screen.getByText('<img src=x onerror="alert(1)"> [help](http://evil) \\u202Egnp.exe ]]> \\u0000'))
      .toBeVisible();
    await expect.element(screen.getByText('shop / web / app')).toBeVisible();
    expect(screen.container.querySelectorAll('a, img')).toHaveLength(0);
  });

  it('draw all hostile lines as characters that can be seen', async () => {
    const texts = HOSTILE_LINES.map((text) => text.slice(0, 400).toWellFormed());
    const { screen } = await minute(texts.map((text) => line({ text, subject: text.slice(0, 100), count: 1 })));
    await screen.getByRole('button', { name: 'Show all 60 lines' }).click();
    await expect.element(screen.getByText('99999 × forged count', { exact: true }).last()).toBeVisible();
    expect(screen.container.querySelectorAll('a, img, script, iframe, svg, b > *')).toHaveLength(0);
    const drawn = screen.container.querySelectorAll('code');
    expect(drawn).toHaveLength(60);
    for (const { textContent } of drawn)
      expect(textContent).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u200B-\u200F]/u);
  });

  it('are N/A with the option that opens them', async () => {
    const { screen } = await minute(
      [],
      'The journal of this server is not read. Run its installer again with --with-journal.',
    );
    await expect.element(screen.getByText(/^N\/A: The journal .* --with-journal\.$/)).toBeVisible();
  });

  it('say that nothing was logged where the journal is read', async () => {
    const { screen } = await minute([]);
    await expect
      .element(screen.getByText('No error was logged from 10 minutes before it to 2 minutes after.'))
      .toBeVisible();
  });

  it('show last words by the run that wrote them, under the lines of the host', async () => {
    const end = {
      kind: 'last_words' as const,
      subject: null,
      count: 1,
      namespace: 'shop',
      pod: 'web-1',
      container: 'app',
    };
    const { screen } = await minute([
      line({ ...end, run: 1, ended_at: '2026-11-20T03:14:08.000Z', text: 'panic: no route' }),
      line({ text: 'I/O error, dev sda, sector 80' }),
      line({ ...end, run: 1, ended_at: '2026-11-20T03:14:08.000Z', text: 'dialing' }),
    ]);
    const region = screen.getByRole('region', { name: 'Last words of shop / web-1 / app' });
    await expect.element(region).toBeVisible();
    expect(region.element().textContent).toBe('dialing\npanic: no route');
    await expect.element(screen.getByText('run 2', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('I/O error, dev sda, sector 80')).toBeVisible();
  });

  it('of a workload are those of its pods', async () => {
    const words = (pod: string) =>
      line({ kind: 'last_words', subject: null, pod, namespace: 'shop', container: 'app', text: `bye of ${pod}` });
    const { screen } = await drawPage(<LinesOfMinute place={{ cluster_id: 'c' }} at={AT} workload="web" />, {
      'GET /api/lines': { data: { lines: [words('web-7f-x1'), words('webhook-1')], unavailable: null } },
    });
    await expect.element(screen.getByText('bye of web-7f-x1')).toBeVisible();
    await expect.element(screen.getByText('bye of webhook-1')).not.toBeInTheDocument();
  });
});

describe('log lines of a server', () => {
  const panel = (lines: readonly LogLine[], unavailable: string | null = null) =>
    drawPage(<LinesPanel place={{ server_id: 's' }} />, { 'GET /api/lines': { data: { lines, unavailable } } });

  it('show the first ones, and the others on request', async () => {
    const { screen } = await panel(Array.from({ length: 12 }, (_, index) => line({ text: `line ${String(index)}` })));
    await expect.element(screen.getByText('line 7')).toBeVisible();
    await expect.element(screen.getByText('line 8')).not.toBeInTheDocument();
    await screen.getByRole('button', { name: 'Show all 12 lines' }).click();
    await expect.element(screen.getByText('line 11')).toBeVisible();
  });

  it('are N/A with the reason, or empty', async () => {
    const off = await panel([], 'The journal of this server is not read. Run its installer again with --with-journal.');
    await expect.element(off.screen.getByText(/--with-journal/)).toBeVisible();
  });

  it('say why they could not be loaded', async () => {
    const { screen } = await drawPage(<LinesPanel place={{ server_id: 's' }} />, {
      'GET /api/lines': { status: 403, detail: 'Not allowed' },
    });
    await expect.element(screen.getByText('Not allowed')).toBeVisible();
  });
});
