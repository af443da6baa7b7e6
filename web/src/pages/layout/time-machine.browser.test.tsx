import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { serverQuery, serversQuery } from '../../api/servers.ts';
import { useQuery } from '../../api/query.ts';
import { Age } from '../../components/age.tsx';
import { Link } from '../../router.ts';
import { useFilters } from '../../state/use-filters.ts';
import { drawPage } from '../../testing/draw-page.tsx';
import { chosenZone } from '../../time/zone.ts';
import { Layout } from './layout.tsx';

/** 2026-01-31T03:12:00Z */
const AT = 1_769_829_120;
const NO_ALERTS = { alerts: [], total: 0 };

/** Stands for any page: a list, one server, an age, a link and a filter of its own. */
function Probe() {
  useQuery(serversQuery());
  useQuery(serverQuery('a'));
  const { set } = useFilters();
  return (
    <>
      <Age at={(AT - 120) * 1000} />
      <Link to="/servers?view=table">Servers</Link>
      <button onClick={() => set('search', 'db')}>Filter</button>
    </>
  );
}
const show = (at: string) =>
  drawPage(
    <Layout>
      <Probe />
    </Layout>,
    {
      'GET /api/servers/list': { data: { servers: [], fleet: [], total: 0, summary: {} } },
      'GET /api/servers/a': { data: { server: {} } },
      'GET /api/data/notifications': { data: NO_ALERTS },
    },
    { at },
  );
const band = () => page.getByRole('region', { name: 'Moment shown' });

beforeEach(() => {
  chosenZone.set('UTC');
  // The stream of events is tested by itself.
  vi.stubGlobal(
    'EventSource',
    class extends EventTarget {
      close() {
        return undefined;
      }
    },
  );
});
afterEach(() => {
  vi.unstubAllGlobals();
  chosenZone.set(null);
});

describe('a moment in the address', () => {
  it('is named by a band, and the page asks for it and reckons ages from it', async () => {
    const { callsTo } = await show('/?at=2026-01-31T03:12Z');
    await expect.element(band()).toMatchTextContent(/Shown as of 31 Jan 03:12, .* ago\. Updates are paused\./);
    await expect.element(page.getByText('2 min ago')).toBeVisible();
    await expect.element(page.getByText('As of 31 Jan 03:12')).toBeVisible();
    await expect
      .poll(() => callsTo('GET', '/api/servers/a').map(({ path }) => path))
      .toEqual([`/api/servers/a?at=${AT}`]);
    expect(callsTo('GET', '/api/servers/list').every(({ path }) => path.includes(`at=${AT}`))).toBe(true);
    // The badge counts what is open now.
    expect(callsTo('GET', '/api/data/notifications').map(({ path }) => path.includes('at='))).toEqual([false]);
  });

  it('goes along to every page, and stays when a page writes its own filter', async () => {
    await show('/?at=2026-01-31T03:12Z');
    const at = 'at=2026-01-31T03%3A12Z';
    await expect.element(page.getByRole('link', { name: 'Processes' })).toHaveAttribute('href', `/processes?${at}`);
    await expect
      .element(page.getByRole('main').getByRole('link', { name: 'Servers' }))
      .toHaveAttribute('href', `/servers?view=table&${at}`);
    await page.getByRole('button', { name: 'Filter' }).click();
    await expect.poll(() => new URLSearchParams(window.location.search).get('search')).toBe('db');
    await expect.element(band()).toBeVisible();
  });

  it('ends with Back to now: with the range of the past, and with every figure asked for again', async () => {
    const { callsTo } = await show('/?from=1&to=4000&at=2026-01-31T03:12Z&search=db');
    await band().getByRole('button', { name: 'Back to now' }).click();
    await expect.poll(() => window.location.search).toBe('?search=db');
    await expect.poll(() => band().elements()).toEqual([]);
    await expect.poll(() => callsTo('GET', '/api/servers/a').at(-1)?.path).toBe('/api/servers/a');
  });

  it('does not change pages of settings, which say so', async () => {
    const { callsTo } = await show('/alerts/rules?at=2026-01-31T03:12Z');
    await expect
      .element(band())
      .toMatchTextContent(/^This page shows now\. Other pages are shown as of 31 Jan 03:12\./);
    await expect.poll(() => callsTo('GET', '/api/servers/a').map(({ path }) => path)).toEqual(['/api/servers/a']);
  });
});
