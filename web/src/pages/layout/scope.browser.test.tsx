import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { ViewProvider, viewOf } from '../../state/view.ts';
import { useLocation } from '../../router.ts';
import { drawAt } from '../../testing/draw.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { ScopeBand } from './scope-band.tsx';
import { ScopeButton } from './scope-button.tsx';

const SERVERS = [
  sampleServer({ id: 'a', tags: { env: 'prod' }, region: 'fra' }),
  sampleServer({ id: 'b', tags: { env: 'prod' }, region: 'nyc' }),
];
/** Calls of the API that this test saw, newest last. */
let calls: URL[] = [];
let answer: (url: URL) => Response;
const list = (servers: readonly unknown[]) =>
  Response.json({ success: true, data: { servers, total: servers.length, clusters: [], summary: {}, fleet: [] } });

const home = `${window.location.pathname}${window.location.search}`;
beforeEach(() => {
  calls = [];
  answer = () => list(SERVERS);
  vi.stubGlobal('fetch', (address: string) => {
    const url = new URL(address, window.location.origin);
    calls.push(url);
    return Promise.resolve(answer(url));
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', home);
});

function Bar() {
  const { search } = useLocation();
  return (
    <ViewProvider value={viewOf(new URLSearchParams(search))}>
      <ScopeButton />
      <ScopeBand />
      <output aria-label="address">{new URLSearchParams(search).get('scope') ?? 'none'}</output>
    </ViewProvider>
  );
}
const bar = (search = '') =>
  drawAt(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Bar />
    </QueryClientProvider>,
    search,
  );
const band = () => page.getByRole('region', { name: 'Scope' });
const address = () => page.getByRole('status', { name: 'address', includeHidden: true });

describe('the scope in the top bar', () => {
  it('covers every server and shows no band without a scope', async () => {
    await bar();
    await expect.element(page.getByRole('button', { name: 'Scope: All servers' })).toBeVisible();
    expect(band().elements()).toEqual([]);
    expect(calls).toEqual([]);
  });

  it('names its terms and counts the servers it holds', async () => {
    await bar('?scope=tag:env%3Dprod');
    await expect.element(band().getByText('2 servers')).toBeVisible();
    expect(calls.map(({ searchParams }) => searchParams.get('scope'))).toEqual(['tag:env=prod']);
    await band().getByRole('button', { name: 'Remove tag:env=prod from the scope' }).click();
    await expect.element(address()).toHaveTextContent('none');
    expect(band().elements()).toEqual([]);
  });

  it('explains a scope that matches no server and clears it', async () => {
    answer = () => list([]);
    await bar('?scope=tag:prod');
    await expect.element(band().getByText(/^No server matches tag:prod\./)).toBeVisible();
    await band().getByRole('button', { name: 'Clear the scope' }).click();
    await expect.element(address()).toHaveTextContent('none');
  });

  it('says what is wrong with the scope of an address', async () => {
    await bar('?scope=host:a');
    await expect
      .element(page.getByRole('alert'))
      .toMatchTextContent(/"host" is not a key of a scope\. Use tag, region, cluster or status/);
    expect(calls).toEqual([]);
  });

  it('is picked with the keyboard, and a second pick takes it away', async () => {
    await bar();
    await page.getByRole('button', { name: 'Scope: All servers' }).click();
    await expect.element(page.getByRole('group', { name: 'Regions' })).toBeVisible();
    const fra = page.getByRole('button', { name: /^fra/ });
    (fra.element() as HTMLElement).focus();
    await userEvent.keyboard('{Enter}');
    await expect.element(address()).toHaveTextContent('region:fra');
    await expect.element(fra).toHaveAttribute('aria-pressed', 'true');
    await userEvent.keyboard('{Enter}');
    await expect.element(address()).toHaveTextContent('none');
    await userEvent.keyboard('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  });

  it('is typed; a bad one keeps its text and names the remedy', async () => {
    await bar();
    await page.getByRole('button', { name: 'Scope: All servers' }).click();
    const field = page.getByRole('textbox', { name: 'Show only servers with' });
    await field.fill('zone:fra');
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByText(/"zone" is not a key of a scope/)).toBeVisible();
    await expect.element(field).toHaveValue('zone:fra');
    await field.fill('tag:prod, region:fra');
    await userEvent.keyboard('{Enter}');
    await expect.element(address()).toHaveTextContent('tag:prod,region:fra');
    await expect.element(field).toHaveValue('tag:prod,region:fra');
  });

  it('says that it loads, that it failed with a retry, and that there is nothing to pick', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    vi.stubGlobal('fetch', () => promise);
    await bar();
    await page.getByRole('button', { name: 'Scope: All servers' }).click();
    await expect.element(page.getByText('Loading tags and regions…')).toBeVisible();
    resolve(Response.json({ success: false, detail: 'The database does not answer' }, { status: 503 }));
    await expect.element(page.getByRole('alert')).toMatchTextContent(/The database does not answer/);
    vi.stubGlobal('fetch', () => Promise.resolve(list([])));
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect.element(page.getByText('There are no servers yet, so there is nothing to pick.')).toBeVisible();
  });

  it('fits a phone, with targets of 40 px', async () => {
    await page.viewport(390, 800);
    await bar('?scope=tag:env%3Dprod,region:fra,region:a-region-with-a-very-long-name-that-wraps');
    await expect.element(band().getByText('2 servers')).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    for (const button of page.getByRole('button').elements())
      expect(button.getBoundingClientRect().height).toBeGreaterThanOrEqual(40);
  });
});
