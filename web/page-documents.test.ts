import { expect, it } from 'vitest';
import { pagesOf, patternOf, withEarly } from './page-documents.ts';

const ROUTES = `
const publicPages = [
  { path: paths.terms, lazy: () => loadScript(() => import('./pages/terms/terms-page.tsx')) },
];
const protectedPages = (queries) => [
  {
    path: '/servers/:serverId',
    lazy: () => loadScript(() => import('./pages/server/server-page.tsx')),
  },
];`;

it('reads address and modules of each page from the routes; the frame belongs to pages behind the sign-in', () => {
  const [terms, server] = pagesOf(ROUTES);
  expect(terms).toEqual({ path: '/terms', modules: ['pages/terms/terms-page.tsx'], calls: [] });
  expect(server?.modules).toEqual(['pages/layout/protected-route.tsx', 'pages/server/server-page.tsx']);
  expect(server?.calls).toContain('/api/servers/{2}');
});

it.each([
  ['/', ['/'], ['/servers']],
  ['/servers', ['/servers', '/servers/'], ['/', '/servers/a']],
  ['/servers/:serverId', ['/servers/a'], ['/servers', '/servers/a/b']],
  ['/nodes/:serverId/:nodeName?', ['/nodes/a', '/nodes/a/b'], ['/nodes', '/nodes/a/b/c']],
])('matches the addresses of %s and no others', (path, own, others) => {
  const pattern = new RegExp(patternOf(path));
  expect([...own, ...others].filter((one) => pattern.test(one))).toEqual(own);
});

it('names scripts, font and calls in the head, and no script twice', () => {
  const html = withEarly(
    '<head><link rel="icon" href="/favicon.svg" /><script src="/start.js"></script><script src="/a.js"></script></head>',
    {
      icon: '<svg/>',
      scripts: ['a.js', 'b.js'],
      calls: ['/api/x?a=1&b=2', '/api/y'],
      font: 'text.woff2',
    },
  );
  expect(html).toContain('<script src="/start.js" data-calls="/api/x?a=1&amp;b=2 /api/y">');
  expect(html).toContain('rel="icon" href="data:image/svg+xml,%3Csvg%2F%3E"');
  expect(html.match(/rel="modulepreload" crossorigin href="[^"]+"/g)).toEqual([
    'rel="modulepreload" crossorigin href="/b.js"',
  ]);
  expect(html).toContain('as="font" type="font/woff2" crossorigin href="/text.woff2"');
});

it('refuses a document in which the script that sends the calls has no place', () => {
  const early = { icon: '', scripts: [], calls: [], font: undefined };
  expect(() => withEarly('<head></head>', early)).toThrow('index.html has no src="/start.js"');
});
