import type { PublicIncident, PublicPart, PublicStatusPage } from '@plimsoll/contract/wire/checks/public-status-page';
import { describe, expect, it } from 'vitest';
import { atomFeed } from './feed.ts';
import { headline, summary } from './headline.ts';
import { pageHtml } from './page-html.ts';
import { datesTo, dayBars } from './day-bars.ts';

const NOW = '2026-11-27T20:58:12.000Z';
const part = (more: Partial<PublicPart> = {}): PublicPart => ({
  name: 'Storefront',
  group: 'Shop',
  state: 'operational',
  reported_at: NOW,
  figures: null,
  since: '2026-08-30',
  availability: 100,
  unknown_seconds: 0,
  days: [],
  ...more,
});
const incident = (more: Partial<PublicIncident> = {}): PublicIncident => ({
  id: '6f1d7b52-6d53-4e0a-9f0e-0f5a4d1b2c3d',
  title: 'Checkout fails for some customers',
  impact: 'partly_offline',
  state: 'identified',
  affects: ['Checkout'],
  started_at: '2026-11-27T19:57:00.000Z',
  resolved_at: null,
  next_update_at: '2026-11-27T21:15:00.000Z',
  updates: [
    { at: '2026-11-27T20:12:00.000Z', state: 'identified', text: 'The update gave it too little memory.' },
    { at: '2026-11-27T20:01:00.000Z', state: 'investigating', text: 'Some orders end with an error.' },
  ],
  ...more,
});
const page = (more: Partial<PublicStatusPage> = {}): PublicStatusPage => ({
  title: 'Example Shop',
  message: '',
  state: 'operational',
  parts: [part()],
  incidents: [],
  maintenance: [],
  as_of: NOW,
  ...more,
});
const html = (given: PublicStatusPage) =>
  pageHtml(given, { links: { feed: '/status/x/feed.atom', json: '/api/x' }, isIndexable: false });

describe('the headline is the worst state', () => {
  const parts = (...states: PublicPart['state'][]) =>
    states.map((state, index) => part({ name: `P${index + 1}`, state }));
  it.each<[string, string, Partial<PublicStatusPage>]>([
    ['Everything works normally', '', { parts: parts('operational', 'operational') }],
    ['P2 is partly down', '1 of 2 parts work normally.', { parts: parts('operational', 'partly_offline') }],
    ['2 parts are down', '0 of 3 parts work normally.', { parts: parts('offline', 'over_line', 'offline') }],
    ['Everything is down', '0 of 2 parts work normally.', { parts: parts('offline', 'offline') }],
    ['P1 is down', '0 of 1 part works normally.', { parts: parts('offline') }],
    [
      'P1 may be slow',
      '1 of 3 parts work normally, 1 is in planned maintenance.',
      { parts: parts('over_line', 'operational', 'maintenance') },
    ],
    ['Nothing is known yet', '0 of 1 part works normally.', { parts: parts('not_reporting') }],
    ['This page has no parts yet', '', { parts: [] }],
    [
      'P1 is partly down',
      '0 of 1 part works normally. We are on it; the next update comes by 21:15 UTC.',
      { parts: parts('partly_offline'), incidents: [incident()] },
    ],
    // An incident that affects no part of the page leads by its own title.
    [
      'Checkout fails for some customers',
      '1 of 1 part works normally. We are on it; the next update was due at 20:00 UTC.',
      { parts: parts('operational'), incidents: [incident({ next_update_at: '2026-11-27T20:00:00.000Z' })] },
    ],
  ])('%s', (words, more, given) => {
    const shown = page(given);
    expect([headline(shown), summary(shown)]).toEqual([words, more]);
  });
});

it('text of people is text: nothing of it becomes an element, an attribute or a hidden mark', () => {
  const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>\u202e&amp;`;
  const shown = html(
    page({
      title: evil,
      message: `${evil}\nsecond`,
      parts: [part({ name: evil, group: evil, days: [day('2026-11-20', 60)] })],
      incidents: [
        incident({ title: evil, affects: [evil], updates: [{ at: NOW, state: 'fixing', text: evil }] }),
        incident({ title: evil, resolved_at: NOW, updates: [{ at: NOW, state: 'resolved', text: evil }] }),
      ],
      maintenance: [{ affects: [evil], starts_at: NOW, ends_at: NOW }],
    }),
  );
  expect(shown).not.toMatch(/<script|<img|\u202e/);
  expect(shown.match(/&lt;script&gt;/g)?.length).toBeGreaterThan(9);
  // Attributes that hold it end where they should.
  for (const [, value] of shown.matchAll(/(?:aria-label|title)="([^"]*)"/g)) expect(value).not.toMatch(/[<>]/);
  const feed = atomFeed(page({ title: evil, incidents: [incident({ title: evil })] }), {
    id: 'x',
    pageUrl: '/status/x',
    feedUrl: '/status/x/feed.atom',
  });
  expect(feed).not.toMatch(/<script|<img/);
});

const day = (date: string, down: number, unknown = 0): PublicPart['days'][number] => ({
  date,
  state: down >= 600 ? 'down' : down > 0 ? 'short' : unknown > 43_200 ? 'unknown' : null,
  down_seconds: down,
  unknown_seconds: unknown,
});

it('90 bars: good days are one line, days without data are empty, bad days say what happened', () => {
  const bars = dayBars(
    'Images',
    { since: '2026-10-03', days: [day('2026-10-26', 360), day('2026-10-27', 4320), day('2026-11-01', 0, 80_000)] },
    { now: NOW, dates: datesTo(NOW) },
  );
  // 34 days before 3 October are empty.
  expect(bars).toContain('<path class="b-none" d="M0 18H135"/>');
  expect(bars).toContain('<title>26 Oct: down for 6 min</title>');
  expect(bars).toContain('<title>27 Oct: down for 1 h 12 min</title>');
  expect(bars).toContain('<title>1 Nov: not known for 22 h 13 min</title>');
  expect(bars).toContain(
    'aria-label="Images, days since 3 Oct: 1 Nov: not known for 22 h 13 min; 27 Oct: down for 1 h 12 min; 26 Oct: down for 6 min"',
  );
  const dashesOf = (kind: string) =>
    [...(new RegExp(`class="b-${kind}" d="([^"]*)"`).exec(bars)?.[1] ?? '').matchAll(/M(\d+) [\d.]+H(\d+)/g)].reduce(
      (sum, [, from, to]) => sum + (Number(to) + 1 - Number(from)) / 4,
      0,
    );
  expect(['none', 'normal', 'short', 'down', 'unknown'].map(dashesOf)).toEqual([34, 53, 1, 1, 1]);
});

it('shows since when there is data, what is not known, the updates newest first, and no script', () => {
  const shown = html(
    page({
      message: 'Orders by phone work.',
      parts: [
        part({ name: 'Images', since: '2026-10-03', unknown_seconds: 7200 }),
        part({ since: null, availability: null }),
      ],
      incidents: [incident(), incident({ title: 'Old', resolved_at: '2026-11-27T20:31:00.000Z' })],
      maintenance: [
        { affects: ['South America'], starts_at: '2026-11-27T22:30:00.000Z', ends_at: '2026-11-28T00:00:00.000Z' },
      ],
    }),
  );
  expect(shown).toContain('<b>Images<small>since 3 Oct</small></b>');
  expect(shown).toContain('100.00 <i>%</i><small>2 h not known</small>');
  expect(shown).toContain('N/A');
  expect(shown.indexOf('Cause found.')).toBeLessThan(shown.indexOf('Looking into it.'));
  expect(shown).toContain('Since 19:57, 1 h 1 min · affects Checkout');
  expect(shown).toContain('<b>Old</b> for 34 min');
  expect(shown).toContain('Maintenance of South America</b><p>Today 22:30 to 28 Nov 00:00 UTC');
  expect(shown).not.toContain('<script');
});

it('the feed has an entry an incident, with its newest update as its time', () => {
  const feed = atomFeed(page({ incidents: [incident()] }), {
    id: 'x',
    pageUrl: 'https://s.example/status/x',
    feedUrl: 'https://s.example/status/x/feed.atom',
  });
  expect(feed).toContain('<id>urn:uuid:6f1d7b52-6d53-4e0a-9f0e-0f5a4d1b2c3d</id>');
  expect(feed).toContain('<title>Cause found: Checkout fails for some customers</title>');
  expect(feed.match(/<updated>2026-11-27T20:12:00.000Z<\/updated>/g)).toHaveLength(2);
  expect(feed).toContain('2026-11-27 20:01 UTC. Looking into it. Some orders end with an error.');
});
