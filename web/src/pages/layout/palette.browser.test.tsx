import { afterEach, expect, it } from 'vitest';
import { userEvent } from 'vitest/browser';
import { drawPage, type Answers } from '../../testing/draw-page.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import Palette from './palette.tsx';
import { paletteQuery } from './palette-query.ts';

const headroom = (points: number) => ({ resource: 'cpu', points, value: 80 - points, line: 80 }) as never;
const answers = {
  'GET /api/servers/list': {
    data: {
      servers: [
        sampleServer({ id: 'calm', hostname: 'web-fra-01', headroom: headroom(40) }),
        sampleServer({ id: 'busy', hostname: 'web-fra-02', headroom: headroom(-4) }),
      ],
      total: 2,
      summary: {},
      fleet: [],
    },
  },
  'GET /api/kubernetes/clusters': { data: { clusters: [], total: 0 } },
  'GET /api/kubernetes/nodes': { data: { nodes: [], total: 0 } },
  'GET /api/kubernetes/cluster/overview': { data: { summary: { namespace_names: ['shop', 'media'] } } },
  'GET /api/data/notifications': { data: { alerts: [], total: 0 } },
};
const palette = (options: Parameters<typeof drawPage>[2] = {}, more: Answers = {}) =>
  drawPage(<Palette onClose={() => undefined} />, { ...answers, ...more }, options);

afterEach(() => paletteQuery.set(''));

it('lists the servers nearest their line before anything is typed', async () => {
  const { screen } = await palette();
  await expect.element(screen.getByRole('option', { name: /web-fra-02/ })).toBeVisible();
  const names = screen
    .getByRole('option')
    .elements()
    .map((option) => option.firstChild?.textContent);
  expect(names.indexOf('web-fra-02')).toBeLessThan(names.indexOf('web-fra-01'));
  expect(names.indexOf('web-fra-01')).toBeLessThan(names.indexOf('Refresh now'));
});

it('finds namespaces, actions and servers by a few letters', async () => {
  const { screen } = await palette();
  const field = screen.getByRole('combobox', { name: 'Search' });
  await field.fill('shop');
  await expect.element(screen.getByRole('option', { name: 'shop Namespace' })).toBeVisible();
  await field.fill('alert rule');
  await expect.element(screen.getByRole('option', { name: 'Create alert rule Action' })).toBeVisible();
  await field.fill('wf2');
  await expect.element(screen.getByRole('option', { name: 'web-fra-02 Server' })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(window.location.pathname).toBe('/servers/busy');
});

it('finds a pod by letters of its name in their order', async () => {
  const pods = ['checkout-7d9f-x2k4q', 'cart-5c44-mm2lp'].map((pod_name) => ({
    cluster_id: 'c',
    namespace: 'shop',
    pod_name,
  }));
  const { screen, callsTo } = await palette(
    {},
    {
      'GET /api/kubernetes/nodes': { data: { nodes: [{ server_id: 'n', node_name: 'node-1' }], total: 1 } },
      'GET /api/kubernetes/pods': ({ path }) => {
        const search = new URLSearchParams(path.split('?')[1]).get('search') ?? '';
        const found = pods.filter(({ pod_name: name }) => name.includes(search));
        return { data: { pods: found, total: found.length } };
      },
    },
  );
  const field = screen.getByRole('combobox', { name: 'Search' });
  await field.fill('checkout');
  await expect.element(screen.getByRole('option', { name: /^checkout-7d9f-x2k4q/ })).toBeVisible();
  await field.fill('ckt7d');
  const searched = () => callsTo('GET', '/api/kubernetes/pods').map(({ path }) => /search=(\w+)/.exec(path)?.[1]);
  await expect.poll(searched).toEqual(['checkout', 'ckt7d', 'c']);
  await expect.element(screen.getByRole('option', { name: /^checkout-7d9f-x2k4q/ })).toBeVisible();
  expect(screen.getByRole('option', { name: /^cart/ }).elements()).toEqual([]);
});

it('offers a viewer nothing that the API refuses', async () => {
  const { screen } = await palette({ role: 'viewer' });
  await screen.getByRole('combobox', { name: 'Search' }).fill('alert');
  await expect.element(screen.getByRole('option', { name: 'Alert rules Page' })).toBeVisible();
  expect(screen.getByRole('option', { name: /Create alert rule/ }).elements()).toEqual([]);
});

it('leads the operator, and nobody else, to the health of the installation', async () => {
  const health = { name: 'Installation health Page' };
  const own = await palette();
  await expect.element(own.screen.getByRole('option', health)).toBeVisible();
  await own.screen.unmount();
  const { screen } = await palette({ isOperator: false });
  await expect.element(screen.getByRole('option', { name: 'Status pages Page' })).toBeVisible();
  expect(screen.getByRole('option', health).elements()).toEqual([]);
});

it('leads to what ran at a typed time, and asks for one before', async () => {
  const { screen } = await palette();
  await screen.getByRole('option', { name: /^What ran at a time, such as 03:12/ }).click();
  const field = screen.getByRole('combobox', { name: 'Search' });
  await expect.element(field).toHaveValue('What ran at ');
  await field.fill('03:12');
  await expect.element(screen.getByRole('option', { name: /^What ran at (\d+ \w+ )?03:12\?/ })).toBeVisible();
  await userEvent.keyboard('{Enter}');
  expect(window.location.pathname).toBe('/processes');
  expect(new URLSearchParams(window.location.search).get('at')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:12Z$/);
});

it('leads to what ran at the moment that the pages show', async () => {
  const { screen } = await palette({ at: '/?at=2026-11-20T03:12Z' });
  await screen.getByRole('option', { name: /^What ran at .*\?/ }).click();
  expect([window.location.pathname, window.location.search]).toEqual(['/processes', '?at=2026-11-20T03:12Z']);
});
