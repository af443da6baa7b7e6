import { createReadStream, readFileSync, statSync } from 'node:fs';
import { join, normalize, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { MiddlewareHandler } from 'hono';
import { acceptsEncoding } from './accepts-encoding.ts';
import type { HttpEnv } from './define-route.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json',
  svg: 'image/svg+xml',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  map: 'application/json',
};
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
/** The bundler puts a content hash into every name below assets/. */
const IMMUTABLE = 'public, max-age=31536000, immutable';

interface Found {
  path: string;
  size: number;
  encoding: string | null;
}

const sizeOf = (path: string): number | null => {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? stat.size : null;
};

/** The file or its compressed twin the client takes, whichever was made at build time. */
function pick(path: string, accepts: string): Found | null {
  const size = sizeOf(path);
  if (size === null) return null;
  for (const [encoding, suffix] of ENCODINGS) {
    if (!acceptsEncoding(accepts, encoding)) continue;
    const packed = sizeOf(path + suffix);
    if (packed !== null) return { path: path + suffix, size: packed, encoding };
  }
  return { path, size, encoding: null };
}

/** Documents of pages, which name the scripts of their page; the build writes them. No path leads into a hidden folder. */
const DOCUMENTS = '.documents';
const INDEX = 'index.html';

/** Returns the document of a path: that of its page, or index.html, which every page can be drawn from. */
function createDocumentOf(base: string): (path: string) => string {
  let pages: { pattern: RegExp; document: string }[] | null = null;
  return (path) => {
    pages ??= readPages(join(base, DOCUMENTS, 'pages.json'));
    const page = pages?.find(({ pattern }) => pattern.test(path));
    const document = page && join(DOCUMENTS, page.document);
    return document !== undefined && sizeOf(join(base, document)) !== null ? document : INDEX;
  };
}

/** Null while there is no build. */
function readPages(file: string): { pattern: RegExp; document: string }[] | null {
  if (sizeOf(file) === null) return null;
  const table = JSON.parse(readFileSync(file, 'utf8')) as { pattern: string; document: string }[];
  return table.map(({ pattern, document }) => ({ pattern: new RegExp(pattern), document }));
}

/** Serves the built dashboard; every path that is no file is the app's own route and gets the document of its page. */
export function webFiles(root: string): MiddlewareHandler<HttpEnv> {
  const base = normalize(root + sep);
  const documentOf = createDocumentOf(base);
  return async (http, next) => {
    if (http.req.method !== 'GET' && http.req.method !== 'HEAD') return next();
    const name = safeName(http.req.path);
    if (name === null) return next();
    const accepts = http.req.header('accept-encoding') ?? '';
    const file = name === '' ? null : pick(join(base, name), accepts);
    const asset = name.startsWith('assets/');
    // A missing asset must be a 404: a document in its place would be cached as a script.
    const found = file ?? (asset ? null : pick(join(base, documentOf(http.req.path)), accepts));
    if (found === null) return next();
    http.set('route', asset ? '/assets/*' : '/*');
    http.header('Vary', 'Accept-Encoding');
    http.header('Cache-Control', asset ? IMMUTABLE : 'no-cache');
    http.header('Content-Type', TYPES[extension(file === null ? INDEX : name)] ?? 'application/octet-stream');
    http.header('Content-Length', String(found.size));
    if (found.encoding !== null) http.header('Content-Encoding', found.encoding);
    if (http.req.method === 'HEAD') return http.body(null);
    return http.body(Readable.toWeb(createReadStream(found.path)) as ReadableStream);
  };
}

const extension = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

/** A relative path without tricks, or null. Compressed twins are not served under their own names. */
function safeName(path: string): string | null {
  const name = path.slice(1);
  if (name.includes('\\') || name.includes('\0') || name.includes('//') || name.includes('%')) return null;
  if (name.split('/').some((part) => part.startsWith('.'))) return null;
  return /\.(br|gz)$/.test(name) ? null : name;
}
