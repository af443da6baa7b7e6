import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { FIRST_CALLS, FRAME_CALLS } from './src/first-calls.ts';
import { paths } from './src/paths.ts';

/** The API serves these in place of index.html and never under a name of their own, because the folder is hidden. */
const FOLDER = '.documents';
/** A page in routes.tsx: its address, and the module that draws it. */
const PAGE = /path:\s*(?:paths\.(\w+)|'([^']+)'),\s*lazy: \(\) => loadScript\(\(\) => import\('\.\/([^']+)'\)\)/g;
/** The pages after this line stand in the frame of a signed-in reader, which is a script of its own. */
const FRAMED_BEGIN = 'const protectedPages';
const FRAME = 'pages/layout/protected-route.tsx';
const ICON = 'href="/favicon.svg"';
const START = 'src="/start.js"';
/** The text of every page is drawn with this one; other ranges of characters load when a page has them. */
const isFont = (file: string): boolean => /\/inter-latin-[\w-]{8}\.woff2$/.test(file);

interface PageOfRoute {
  /** As the router writes it: "/servers/:serverId". */
  path: string;
  /** Modules that draw it, below web/src. */
  modules: readonly string[];
  /** Addresses of the API; "{2}" stands for the second part of the page's own address. */
  calls: readonly string[];
}

/** Returns a call with the numbers of the parts of the address instead of their names. */
const numbered = (call: string, path: string): string =>
  path
    .split('/')
    .reduce((text, part, index) => (part.startsWith(':') ? text.replaceAll(part, `{${index}}`) : text), call);

/** Returns the pages of routes.tsx, the source of truth for addresses. */
export function pagesOf(routes: string, addresses: Readonly<Record<string, unknown>> = paths): PageOfRoute[] {
  const framedFrom = routes.indexOf(FRAMED_BEGIN);
  return [...routes.matchAll(PAGE)].map(({ index, 1: name = '', 2: written, 3: module = '' }) => {
    const path = written ?? addresses[name];
    if (typeof path !== 'string') throw new Error(`routes.tsx: the page ${module} has no address`);
    if (index < framedFrom) return { path, modules: [module], calls: [] };
    const calls = [...FRAME_CALLS, ...(FIRST_CALLS[path] ?? []).map((call) => numbered(call, path))];
    return { path, modules: [FRAME, module], calls };
  });
}

/** Returns a regular expression for the addresses of a route; ":name" is one part, ":name?" one or none. */
export const patternOf = (path: string): string =>
  `^${path
    .split('/')
    .slice(1)
    .map((part) => (!part.startsWith(':') ? `/${part}` : part.endsWith('?') ? '(?:/[^/]+)?' : '/[^/]+'))
    .join('')}/?$`.replace('^//?$', '^/$');

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** Returns the files of a chunk and of all that it imports. */
function filesOf(file: string, chunks: Chunks, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const one of chunks.get(file)?.imports ?? []) filesOf(one, chunks, found);
  return found;
}

/** The module fetches what draws charts as soon as it runs: both are named together. */
const CHARTS = { module: 'components/chart/load-chart.tsx', drawing: 'components/chart/drawing.tsx' };

interface Early {
  /** Text of the tab's mark. */
  icon: string;
  scripts: readonly string[];
  calls: readonly string[];
  font: string | undefined;
}

/** Returns the document that loads these files beside the entry, and sends these calls. */
export function withEarly(html: string, { icon, scripts, calls, font }: Early): string {
  const links = [
    ...(font === undefined ? [] : [`<link rel="preload" as="font" type="font/woff2" crossorigin href="/${font}">`]),
    ...scripts
      .filter((file) => !html.includes(`"/${file}"`))
      .map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
  ];
  if (!html.includes(START)) throw new Error(`page-documents: index.html has no ${START}`);
  const attribute = calls.length === 0 ? '' : ` data-calls="${calls.join(' ').replaceAll('&', '&amp;')}"`;
  const started = html
    .replace(START, () => `${START}${attribute}`)
    .replace(ICON, () => `href="data:image/svg+xml,${encodeURIComponent(icon)}"`);
  return started.replace('</head>', `  ${links.join('\n    ')}\n  </head>`);
}

/**
 * Writes a document for each page beside index.html: it names the scripts of its page, so that they load together with the
 * entry and not after it has run, and the first calls. `pages.json` has the addresses of each.
 */
export function pageDocuments(): Plugin {
  return {
    name: 'page-documents',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const outputs = Object.values(bundle);
        const index = bundle['index.html'];
        if (index?.type !== 'asset') return;
        const chunks: Chunks = new Map(
          outputs.flatMap((one): [string, Rolldown.OutputChunk][] =>
            one.type === 'chunk' ? [[one.fileName, one]] : [],
          ),
        );
        const root = join(import.meta.dirname, 'src');
        const fileOf = (module: string): string => {
          const id = join(root, module);
          const [file] = [...chunks.values()].filter((one) => one.facadeModuleId === id || one.moduleIds.includes(id));
          if (file === undefined) throw new Error(`page-documents: no chunk has ${module}`);
          return file.fileName;
        };
        const font = Object.keys(bundle).find(isFont);
        const html = String(index.source);
        const pages = pagesOf(readFileSync(join(root, 'routes.tsx'), 'utf8'));
        const lazyPages = this.getModuleInfo(join(root, 'routes.tsx'))?.dynamicallyImportedIds ?? [];
        if (pages.length !== lazyPages.length - 1)
          throw new Error(
            `page-documents: routes.tsx loads ${lazyPages.length} modules, ${pages.length} pages were read`,
          );
        const icon = readFileSync(join(import.meta.dirname, 'public/favicon.svg'), 'utf8').trimEnd();
        index.source = withEarly(html, { icon, scripts: [], calls: [], font });
        const documents = pages.map(({ path, modules, calls }) => {
          const own = new Set(modules.flatMap((module) => [...filesOf(fileOf(module), chunks)]));
          const scripts = own.has(fileOf(CHARTS.module)) ? filesOf(fileOf(CHARTS.drawing), chunks, own) : own;
          const document = `${basename(modules.at(-1) ?? '', '.tsx')}.html`;
          const source = withEarly(html, { icon, scripts: [...scripts], calls, font });
          this.emitFile({ type: 'asset', fileName: `${FOLDER}/${document}`, source });
          return { pattern: patternOf(path), document, isExact: !path.includes(':') };
        });
        // "/servers/containers" comes before "/servers/:serverId".
        const ordered = documents.toSorted((a, b) => Number(b.isExact) - Number(a.isExact));
        const table = ordered.map(({ pattern, document }) => ({ pattern, document }));
        this.emitFile({ type: 'asset', fileName: `${FOLDER}/pages.json`, source: JSON.stringify(table) });
      },
    },
  };
}
