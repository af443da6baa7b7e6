import type { Pod, PodOwner, PodsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { describe, expect, it, onTestFinished } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drawPage, type Answers } from '../../testing/draw-page.tsx';
import { everyAnswer } from '../../testing/every-answer.ts';
import { SAMPLE_POD } from '../../testing/sample-pod.ts';
import { Component } from './kubernetes-pods-page.tsx';

const NOW = Date.now();
const CLUSTER = 'c-1';
const sampled = (path: string): unknown => everyAnswer(path, NOW);
const pod = (name: string, given: Partial<Pod> = {}): Pod => ({
  ...SAMPLE_POD,
  uid: name,
  cluster_id: CLUSTER,
  pod_name: name,
  ...given,
});
const SHOP = [pod('api-x2wlq', { restarts_24h: 7 }), pod('api-9qk4t'), pod('web-aaaaa')];
const SUMMARY: PodsAnswer['summary'] = {
  ...(sampled('/api/kubernetes/pods') as PodsAnswer).summary,
  total: 106,
  phases: { Pending: 1, Running: 104, Succeeded: 0, Failed: 1, Unknown: 0 },
  namespaces: [
    { cluster_id: CLUSTER, namespace: 'shop', pods: 3, cpu_usage_cores: 0.875, memory_usage_mb: 890 },
    { cluster_id: CLUSTER, namespace: 'team-3', pods: 25, cpu_usage_cores: 0.125, memory_usage_mb: 250 },
  ],
  namespace_names: ['shop', 'team-3'],
  owner_kinds: ['Deployment', 'Job'],
  zombies: 1,
};
const answerOf = (pods: readonly Pod[], total = pods.length): { data: PodsAnswer } => ({
  data: { ...(sampled('/api/kubernetes/pods') as PodsAnswer), pods: [...pods], total, summary: SUMMARY },
});
const ownersOf = (owners: readonly object[]) => ({ data: { owners, total: owners.length } });
const queryOf = (path: string) => Object.fromEntries(new URLSearchParams(path.split('?')[1]));
const address = () => Object.fromEntries(new URLSearchParams(window.location.search));

async function drawn(search: string, answers: Answers = {}) {
  await page.viewport(1440, 900);
  onTestFinished(() => page.viewport(1280, 800));
  const one = ({ path }: { path: string }) => {
    const name = decodeURIComponent(path.split('?')[0]?.split('/')[5] ?? '');
    const found = SHOP.find(({ pod_name: each }) => each === name);
    if (found === undefined) return { status: 404, detail: 'Pod not found' };
    return { data: { ...(sampled('/api/kubernetes/pods/shop/api-x2wlq') as object), pod: found } };
  };
  const drawer: Record<string, Answers[string]> = Object.fromEntries(
    [...SHOP.map(({ pod_name: name }) => name), 'gone-1'].map((name) => [`GET /api/kubernetes/pods/shop/${name}`, one]),
  );
  const history = { data: sampled('/api/kubernetes/pods/shop/api-x2wlq/metrics/history') };
  for (const path of Object.keys(drawer)) drawer[`${path}/metrics/history`] = () => history;
  const { screen, callsTo } = await drawPage(
    <Component />,
    {
      'GET /api/kubernetes/pods': answerOf(SHOP),
      'GET /api/kubernetes/cluster/overview': { data: sampled('/api/kubernetes/cluster/overview') },
      'GET /api/kubernetes/clusters': { data: sampled('/api/kubernetes/clusters') },
      ...drawer,
      ...answers,
    },
    { at: `/kubernetes/pods${search}` },
  );
  /** Returns the last query for the list. */
  const asked = () => queryOf(callsTo('GET', '/api/kubernetes/pods').at(-1)?.path ?? '');
  const names = () =>
    screen
      .getByRole('row')
      .elements()
      .flatMap((row) => row.getAttribute('data-pod') ?? []);
  return { screen, callsTo, asked, names };
}

type Screen = Awaited<ReturnType<typeof drawn>>['screen'];
async function choose(screen: Screen, label: string, value: string): Promise<void> {
  await screen.getByRole('combobox', { name: new RegExp(`^${label}: `) }).click();
  await screen.getByRole('option', { name: value, exact: true }).click();
}

describe('the pods page', () => {
  it('counts all pods, not those of the page', async () => {
    const { screen } = await drawn('', { 'GET /api/kubernetes/pods': answerOf(SHOP, 106) });
    await expect.element(screen.getByText(/^106 pods on /)).toBeVisible();
    await expect
      .element(screen.getByRole('listitem').filter({ hasText: /^shop\s*0\.875\s?cores\s*890\s?MB$/ }))
      .toBeVisible();
    await expect.element(screen.getByText('1 pod older than 30 d has no owner: possible zombie pod')).toBeVisible();
  });

  it('goes to the next page in the address; a filter begins at the first one', async () => {
    const { screen, asked } = await drawn('', {
      'GET /api/kubernetes/pods': ({ path }) =>
        answerOf(queryOf(path)['offset'] === '100' ? SHOP.slice(0, 1) : SHOP, 101),
    });
    await expect.element(screen.getByText('1–100 of 101')).toBeVisible();
    await screen.getByRole('button', { name: 'Next page' }).click();
    await expect.element(screen.getByText('101–101 of 101')).toBeVisible();
    expect(address()).toEqual({ offset: '100' });
    await expect.element(screen.getByRole('button', { name: 'Next page' })).toBeDisabled();
    await choose(screen, 'Namespace', 'shop');
    await expect.poll(asked).toMatchObject({ namespace: 'shop', offset: '0' });
    expect(address()).toEqual({ namespace: 'shop' });
  });

  it('sorts by the worst state, or by a column in the address', async () => {
    const { screen, asked } = await drawn('?namespace=shop');
    await expect.poll(asked).toMatchObject({ sort: 'state', order: 'asc' });
    const head = (name: string) => screen.getByRole('columnheader', { name }).getByRole('button');
    await head('Pod').click();
    await expect.poll(asked).toMatchObject({ sort: 'name', order: 'asc' });
    await head('Pod').click();
    await expect.poll(asked).toMatchObject({ sort: 'name', order: 'desc' });
    await head('Restarts').click();
    await expect.poll(asked).toMatchObject({ sort: 'restarts', order: 'desc' });
    expect(address()).toEqual({ namespace: 'shop', sort: 'restarts', order: 'desc' });
    await expect
      .element(screen.getByRole('columnheader', { name: 'Restarts' }))
      .toHaveAttribute('aria-sort', 'descending');
  });

  it('filters by phase, owner and words in the address, and says when nothing is left', async () => {
    const { screen, asked } = await drawn('', {
      'GET /api/kubernetes/pods': ({ path }) => answerOf('phase' in queryOf(path) ? [] : SHOP),
    });
    await choose(screen, 'Phase', 'Failed');
    await expect.element(screen.getByText('No pods match your filters')).toBeVisible();
    expect(asked()).toMatchObject({ phase: 'Failed' });
    await choose(screen, 'Phase', 'All');
    await choose(screen, 'Owner', 'None');
    await expect.poll(asked).toMatchObject({ owner_kind: 'none' });
    await screen.getByRole('searchbox').fill('28811');
    await expect.poll(asked).toMatchObject({ owner_kind: 'none', search: '28811' });
    expect(address()).toEqual({ owner: 'none', search: '28811' });
  });

  it('opens a pod beside its row: arrows go on, Esc closes, typing does neither', async () => {
    const { screen, names } = await drawn('?namespace=shop');
    await expect.poll(names).toHaveLength(3);
    const drawer = (name: string) => screen.getByRole('complementary', { name: `Pod ${name}` });
    const row = (name: string) => screen.getByRole('row').filter({ hasText: name });
    await row('api-9qk4t').getByRole('button').first().click();
    await expect.element(drawer('api-9qk4t').getByText('registry.example.net/shop/checkout-api:1.84.2')).toBeVisible();
    expect(address()).toMatchObject({ pod: `${CLUSTER}/shop/api-9qk4t` });
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(drawer('api-x2wlq')).toBeVisible();
    // Faster than the page follows, and past the first row: none is lost.
    await userEvent.keyboard('{ArrowUp}{ArrowDown}{ArrowDown}');
    await expect.element(drawer('web-aaaaa')).toBeVisible();
    await screen.getByRole('searchbox').click();
    await userEvent.keyboard('{ArrowUp}{Escape}');
    // The page follows a key a moment later: only what it drew after the next key proves that it stayed.
    await screen.getByRole('heading', { name: 'Kubernetes Pods' }).click();
    await userEvent.keyboard('{ArrowUp}');
    await expect.element(drawer('api-9qk4t')).toBeVisible();
    await userEvent.keyboard('{Escape}');
    await expect.poll(() => drawer('api-9qk4t').elements()).toEqual([]);
    expect(address()).toEqual({ namespace: 'shop' });
  });

  it('says of a pod that is gone that it is, beside the list', async () => {
    const { screen, names } = await drawn(`?pod=${CLUSTER}/shop/gone-1`);
    await expect.element(screen.getByText('Pod not found', { exact: true })).toBeVisible();
    expect(names()).toHaveLength(3);
    await screen.getByRole('button', { name: 'Close pod' }).click();
    expect(address()).toEqual({});
  });

  it('groups by owner, and asks for the pods of a group when it opens', async () => {
    const owner: PodOwner = {
      ...(sampled('/api/kubernetes/owners') as { owners: PodOwner[] }).owners[0],
      cluster_id: CLUSTER,
      namespace: 'shop',
      owner_kind: 'Deployment',
      owner_name: 'api',
      pods: 2,
      restarts_24h: 1,
      desired: null,
      ready: null,
    } as PodOwner;
    const { screen, callsTo } = await drawn('?view=owner&namespace=shop', {
      'GET /api/kubernetes/owners': ownersOf([owner]),
    });
    const group = screen.getByRole('button', { name: /^Deployment api 2 pods shop.* 1 restart$/ });
    await group.click();
    await expect.element(screen.getByRole('table', { name: 'Pods of api' })).toBeVisible();
    const ofGroup = callsTo('GET', '/api/kubernetes/pods').map(({ path }) => queryOf(path));
    expect(ofGroup).toContainEqual(
      expect.objectContaining({ cluster_id: CLUSTER, namespace: 'shop', owner_kind: 'Deployment', owner_name: 'api' }),
    );
    await expect.element(group).toHaveAttribute('aria-expanded', 'true');
  });
});
