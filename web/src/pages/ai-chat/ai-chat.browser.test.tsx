import { describe, expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage } from '../../testing/draw-page.tsx';
import { draw } from '../../testing/draw.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { AnswerChart } from './answer-chart.tsx';
import { Markdown } from './markdown.tsx';
import { Message } from './message.tsx';
import { newId } from './new-id.ts';

describe('markdown of an answer', () => {
  it('draws tables and lists', async () => {
    const screen = await draw(<Markdown text={'| server | CPU |\n|---|---|\n| web-1 | 91 % |\n\n- one'} />);
    await expect.element(screen.getByRole('cell', { name: '91 %' })).toBeVisible();
    await expect.element(screen.getByRole('listitem')).toBeVisible();
  });

  it('shows the rows of a wide table as lists on a phone', async () => {
    await page.viewport(390, 844);
    onTestFinished(() => page.viewport(1280, 800));
    const text =
      '| server | nearest | value | line |\n|---|---|---|---|\n| db-fra-1.example.net | memory | 91 % | 80 % |\n\n| a | b |\n|---|---|\n| 1 | 2 |';
    const screen = await draw(<Markdown text={text} />);
    const cell = screen.getByRole('cell', { name: /91 %/ });
    await expect.element(cell).toBeVisible();
    await expect.element(screen.getByRole('columnheader', { name: 'nearest' })).toBeInTheDocument();
    const [first, second, third] = [...screen.container.querySelectorAll('table.wide td')].map((one) =>
      one.getBoundingClientRect(),
    );
    expect([first?.bottom ?? 0, second?.bottom ?? 0]).toEqual([
      expect.toSatisfy((bottom: number) => bottom <= (second?.top ?? 0)),
      expect.toSatisfy((bottom: number) => bottom <= (third?.top ?? 0)),
    ]);
    expect(getComputedStyle(cell.element(), '::before').content).toBe('"value"');
    expect(screen.container.scrollWidth).toBeLessThanOrEqual(390);
    expect(screen.container.querySelectorAll('table.wide')).toHaveLength(1);
  });

  it('loads nothing and links to own pages only', async () => {
    const text = [
      '![x](https://evil.test/a.png)',
      '[away](https://evil.test/)',
      '[twice](//evil.test/)',
      '[back](/\\evil.test)',
      '[script](javascript:alert(1))',
      '<img src="https://evil.test/b.png"><iframe src="https://evil.test/"></iframe>',
      '[here](/servers/1)',
    ].join('\n\n');
    const { container, getByRole } = await draw(<Markdown text={text} />);
    expect(container.querySelectorAll('img, iframe, script')).toHaveLength(0);
    expect([...container.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(['/servers/1']);
    await expect.element(getByRole('link', { name: 'here' })).toBeVisible();
    expect(container.textContent).toContain('away');
  });

  it.each([
    ['quotes', '> '.repeat(5000)],
    ['lists', '- '.repeat(5000)],
    ['brackets', '['.repeat(8000)],
    ['stars', '*a '.repeat(4000)],
    ['underscores', '_'.repeat(16_000)],
    ['ticks', '`'.repeat(16_000)],
    ['tables', '|a'.repeat(4000)],
    ['tildes', '~a'.repeat(8000)],
    ['links', '[a](b'.repeat(3000)],
  ])('stays alive with 16 KB of %s', async (_name, text) => {
    const { container } = await draw(<Markdown text={text} />);
    expect(container.textContent?.length).toBeGreaterThan(0);
  });
});

describe('a message', () => {
  it('names its sources and the figures that stand nowhere', async () => {
    const screen = await draw(
      <Message
        message={{
          role: 'assistant',
          content: 'CPU is at 97 % (unverified).',
          sources: [{ title: 'web-1', href: '/servers/1?from=1&to=2' }],
          unmatched: ['97 %'],
        }}
      />,
    );
    await expect.element(screen.getByRole('link', { name: 'web-1' })).toHaveAttribute('href', '/servers/1?from=1&to=2');
    await expect.element(screen.getByText('1 figure is not in the data read for this answer.')).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: 'AI Assistant' })).toBeVisible();
  });

  it('shows a question as it was written', async () => {
    const screen = await draw(<Message message={{ role: 'user', content: '# not a heading' }} />);
    await expect.element(screen.getByText('# not a heading')).toBeVisible();
    await expect.element(screen.getByRole('heading', { name: 'You' })).toBeVisible();
  });
});

describe('a chart of an answer', () => {
  const FROM = 1_790_000_000;
  const band = { avg: 40, min: 40, max: 40 };
  const timeseries = Array.from({ length: 20 }, (_, n) => ({
    timestamp: FROM + n * 180,
    time: new Date((FROM + n * 180) * 1000).toISOString(),
    bands: { cpu: band, memory: band, disk: band },
    count: 3,
  }));
  const chart = { title: 'cpu of web-1', metric: 'cpu' as const, from: FROM, to: FROM + 3600 };
  const server = sampleServer({ id: '00000000-0000-4000-8000-000000000001' });
  const lines = { ...server.lines, cpu: { warning: 65, critical: 85 } };
  const answers = {
    'GET /api/data/metrics/timeseries': {
      data: { timeseries, aggregated: false, bucket_seconds: 180, from: FROM, to: FROM + 3600, gaps: [] },
    },
    [`GET /api/servers/${server.id}`]: { data: { server: { ...server, lines } } },
  };

  it('has the load line of its server, and names the figure as the screens do', async () => {
    const { screen } = await drawPage(<AnswerChart chart={{ ...chart, server_id: server.id }} />, answers);
    await expect.element(screen.getByRole('heading', { name: 'CPU of web-1' })).toBeVisible();
    await expect.element(screen.getByText('65', { exact: true })).toBeVisible();
  });

  it('has the line of the default rule over all servers', async () => {
    const { screen } = await drawPage(
      <AnswerChart chart={{ ...chart, title: 'CPU of all servers', server_id: null }} />,
      answers,
    );
    await expect.element(screen.getByRole('heading', { name: 'CPU of all servers' })).toBeVisible();
    await expect.element(screen.getByText('average', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('80', { exact: true })).toBeVisible();
  });
});

it('ids are UUIDs of version 4', () => {
  const ids = Array.from({ length: 200 }, newId);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids).size).toBe(ids.length);
});
