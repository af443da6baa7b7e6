import { expect, it, onTestFinished, vi } from 'vitest';
import start from '../public/start.js?raw';

type Page = typeof globalThis & { firstCalls?: { token: string; answers: Map<string, Promise<Response>> } };
const page = globalThis as Page;

/** Runs the script as the document of a page does, at this address, and returns the calls that it sent. */
function sentFrom(address: string, calls: string, token: string | null): string[] {
  const before = window.location.href;
  const fetching = vi.spyOn(window, 'fetch').mockResolvedValue(new Response('{}'));
  window.history.replaceState(null, '', address);
  if (token !== null) localStorage.setItem('plimsoll.token', token);
  onTestFinished(() => {
    fetching.mockRestore();
    window.history.replaceState(null, '', before);
    localStorage.removeItem('plimsoll.token');
    delete page.firstCalls;
  });
  const script = document.createElement('script');
  script.dataset['calls'] = calls;
  script.textContent = start;
  document.head.append(script);
  script.remove();
  return fetching.mock.calls.flatMap(([url]) => (typeof url === 'string' ? [url] : []));
}

it('sends the calls of its page, with the parts of the address and the moment a day ago', () => {
  const now = Math.floor(Date.now() / 1000);
  const [server, dated = ''] = sentFrom(
    '/servers/a-1',
    '/api/servers/{2} /api/x?limit=9&start_date={-86400}',
    'secret',
  );
  expect(server).toBe('/api/servers/a-1');
  expect(dated).toMatch(/^\/api\/x\?limit=9&start_date=\d+$/);
  expect(Number(dated.split('=').at(-1)) - (now - 86_400)).toBeOneOf([0, 1, 2]);
  expect(page.firstCalls?.token).toBe('secret');
  expect([...(page.firstCalls?.answers.keys() ?? [])]).toEqual([server, dated]);
});

it('sends nothing for a part that is no plain name, with parameters, or without a session', () => {
  expect(sentFrom('/servers/a%2Fb', '/api/servers/{2}', 'secret')).toEqual([]);
  expect(sentFrom('/servers/a?hours=6', '/api/servers/{2}', 'secret')).toEqual([]);
  localStorage.removeItem('plimsoll.token');
  expect(sentFrom('/servers/a', '/api/servers/{2}', null)).toEqual([]);
});
