import { basename } from 'node:path';
import type { Rolldown } from 'vite';

/**
 * Each file is a request, and most of what pages share is tiny. So what they share is in a few files, by who needs it. A
 * module's imports are needed by at least the same pages, so they are in the same file or in one that stands before it in
 * this list. No two files wait for each other.
 */
export const CHUNKS: Rolldown.CodeSplittingGroup[] = [
  // The little that the frame shares with pages before the sign-in is not worth a request of its own.
  groupOf(
    'index',
    9,
    ({ isInitial, isFramed, pages }) => isInitial || (isFramed && pages.some((page) => PUBLIC.has(page))),
  ),
  groupOf('frame', 7, ({ isFramed }) => isFramed),
  groupOf('page', 6, ({ pages }) => pages.includes(DASHBOARD) && !pages.every((page) => FLEET.has(page))),
  groupOf('fleet', 5, ({ pages }) => pages.includes(DASHBOARD) && pages.length > 1),
  groupOf('controls', 4, (needs) => isCommon(needs) && needs.pages.some((page) => LISTS.has(page))),
  groupOf('forms', 3, (needs, id, graph) => isCommon(needs) && !needsModule(id, LOADS_CHARTS, graph)),
  // Loading what draws a chart begins when this file is run, so nothing else is in it.
  groupOf('charts', 2.5, isCommon),
  groupOf('kubernetes', 2, ({ pages }) => pages.length > 1 && pages.every((page) => KUBERNETES.has(page))),
];

/** Pages that share a module so that most of its file is of use to each of them. */
const MANY = 6;
/** The documents of the build, and what the bundler puts into every one. */
const ENTRY = /\/(?:index|parts)\.html$|rolldown[/-]runtime/;
const LOADS_CHARTS = /\/src\/components\/chart\/load-chart\.tsx$/;
const FRAME = 'protected-route';
const DASHBOARD = 'dashboard-page';
/** Pages that show the cards of servers. */
const FLEET = new Set([DASHBOARD, 'servers-page', 'server-page']);
/** Lists that filter and act, and have no form until someone opens it. */
const LISTS = new Set(['alerts-page', 'servers-page']);
/** Pages of readers who are not signed in. */
const PUBLIC = new Set([
  'landing-page',
  'login-page',
  'join-page',
  'callback-page',
  'terms-page',
  'privacy-page',
  'status-page',
]);
const KUBERNETES = new Set([
  'kubernetes-page',
  'kubernetes-nodes-page',
  'kubernetes-node-page',
  'kubernetes-pods-page',
  'namespaces',
  'workloads',
  'workload-page',
  'events-page',
  'clusters-page',
  'capacity-page',
]);

/**
 * A module that the styles of MUI name and nobody uses: tree shaking removes it, and its imports of every kind of input
 * are not needed by the pages that use the styles.
 */
const SHAKEN = /\/material\/styles\/enhanceHighContrast\.mjs$/;

/** The frame and the pages that need a module. */
interface Needs {
  /** The entry imports it. */
  isInitial: boolean;
  /** The frame around every page of a signed-in reader needs it. */
  isFramed: boolean;
  /** Names of the modules that are loaded on demand and need it. */
  pages: readonly string[];
}

function groupOf(
  name: string,
  priority: number,
  isIn: (needs: Needs, id: string, graph: Rolldown.ChunkingContext) => boolean,
): Rolldown.CodeSplittingGroup {
  return { name: (id, graph) => (isIn(needsOf(id, graph), id, graph) ? name : null), priority, minShareCount: 1 };
}

/** Returns true if the module is, or imports over others, the one of this name. */
function needsModule(id: string, name: RegExp, graph: Rolldown.ChunkingContext): boolean {
  const seen = new Set([id]);
  for (const one of seen) {
    if (name.test(one)) return true;
    for (const imported of graph.getModuleInfo(one)?.importedIds ?? []) seen.add(imported);
  }
  return false;
}

function isCommon({ pages }: Needs): boolean {
  return pages.length >= MANY && !pages.every((page) => KUBERNETES.has(page));
}

/** Follows the imports of a module back to what is loaded on demand. */
function needsOf(id: string, graph: Rolldown.ChunkingContext): Needs {
  const seen = new Set([id]);
  const pages: string[] = [];
  for (const one of seen) {
    const info = graph.getModuleInfo(one);
    if (info === null) continue;
    if (info.dynamicImporters.length > 0) pages.push(basename(one).replace(/\.tsx?$/, ''));
    for (const importer of info.importers) if (!SHAKEN.test(importer)) seen.add(importer);
  }
  return { isInitial: [...seen].some((one) => ENTRY.test(one)), isFramed: pages.includes(FRAME), pages };
}
