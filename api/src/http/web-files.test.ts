import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Hono } from 'hono';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HttpEnv } from './define-route.ts';
import { webFiles } from './web-files.ts';

const root = mkdtempSync(join(tmpdir(), 'plimsoll-web-'));
const app = new Hono<HttpEnv>().use(webFiles(join(root, 'dist')));
const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });

beforeAll(() => {
  mkdirSync(join(root, 'dist/assets'), { recursive: true });
  writeFileSync(join(root, 'secret.txt'), 'secret');
  writeFileSync(join(root, 'dist/index.html'), '<!doctype html>');
  writeFileSync(join(root, 'dist/assets/app-1a2b.js'), 'let x');
  writeFileSync(join(root, 'dist/assets/app-1a2b.js.gz'), gzipSync('let x'));
  writeFileSync(join(root, 'dist/assets/app-1a2b.js.br'), 'brotli');
  writeFileSync(join(root, 'dist/.env'), 'TOKEN=1');
  mkdirSync(join(root, 'dist/.documents'));
  const pages = [
    { pattern: '^/pods/?$', document: 'pods.html' },
    { pattern: '^/nodes/[^/]+/?$', document: 'node.html' },
    { pattern: '^/gone$', document: 'gone.html' },
  ];
  writeFileSync(join(root, 'dist/.documents/pages.json'), JSON.stringify(pages));
  writeFileSync(join(root, 'dist/.documents/pods.html'), 'the document of the pods');
  writeFileSync(join(root, 'dist/.documents/node.html'), 'the document of a node');
  writeFileSync(join(root, 'dist/.documents/node.html.gz'), gzipSync('the document of a node'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['identity', null],
])('a client that accepts %j gets %j, made at build time', async (accepts, encoding) => {
  const answer = await get('/assets/app-1a2b.js', { 'accept-encoding': accepts });
  expect(answer.headers.get('content-encoding')).toBe(encoding);
  expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('vary')).toBe('Accept-Encoding');
});

test.each([
  ['/pods', 'the document of the pods'],
  ['/pods/', 'the document of the pods'],
  ['/nodes/n1', 'the document of a node'],
  ['/nodes/n1/n2', '<!doctype html>'],
  ['/gone', '<!doctype html>'],
])('%s gets the document of its page, or index.html if there is none', async (path, text) => {
  const answer = await get(path);
  expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/html; charset=utf-8', text]);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
});

test('the document of a page is compressed at build time, and has no name of its own', async () => {
  expect((await get('/nodes/n1', { 'accept-encoding': 'gzip' })).headers.get('content-encoding')).toBe('gzip');
  expect((await get('/.documents/pods.html')).status).toBe(404);
});

test.each(['/', '/servers/1', '/index.html', '/login'])('%s is the app, not cached', async (path) => {
  const answer = await get(path);
  expect([answer.status, await answer.text(), answer.headers.get('cache-control')]).toEqual([
    200,
    '<!doctype html>',
    'no-cache',
  ]);
});

test.each(['/assets/gone.js', '/assets/app-1a2b.js.gz'])('%s is missing, not the app in its place', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test.each([
  '/.env',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/assets/..%5c..%5csecret.txt',
  '//secret.txt',
  '/a%00.js',
])('%s is not found', async (path) => {
  const answer = await get(path);
  const text = await answer.text();
  expect(text).not.toMatch(/secret$|TOKEN/);
  expect(answer.status === 404 || text === '<!doctype html>').toBe(true);
});

test('HEAD tells the size and sends nothing; POST is not for files', async () => {
  const head = await app.request('/', { method: 'HEAD' });
  expect([head.headers.get('content-length'), await head.text()]).toEqual(['15', '']);
  expect((await app.request('/', { method: 'POST' })).status).toBe(404);
});
