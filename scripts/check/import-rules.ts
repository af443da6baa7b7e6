import { apiRules } from './api-role-rules.ts';

/** Matches a path: the file itself in `from`; in `may` the imported path, with the importing file as second argument. */
export type Matcher = RegExp | ((path: string, importer: string) => boolean);

/** Lists who may import whom. Deny by default: a file no rule covers, or an import no pattern allows, fails the check. */
export interface Rule {
  name: string;
  from: Matcher;
  may: Matcher[];
  /** Allowed for `import type` only. */
  mayTypes?: Matcher[];
  /** Units of one room that must not import each other; the first group of `unit` names the unit. */
  notSibling?: { what: string; unit: RegExp };
}

const node = /^node:/;
const pkg = (...names: string[]) => new RegExp(`^pkg:(${names.join('|')})$`);
const wire = /^api\/contract\//;
/** Parts of the contract that carry no zod: numbers, and pure rules both sides of the wire obey. */
const light = /^api\/contract\/(rules|redaction)\//;
/** Code of both sides that opens connections. No page loads it. */
const probes = /^api\/contract\/probes\//;
/** Parts that a page loads. Default rules, readings and PromQL of the alert metrics are for the API; a page takes their scales. */
const inBrowser =
  /^api\/contract\/(rules|redaction)\/(?!host-metrics\/.*alert-metrics\.ts$|(?:cluster-)?alert-metrics\.ts$)/;
const web = (...folders: string[]) => new RegExp(`^web/src/(${folders.join('|')})`);
/** Files beside the folders of the web that screens may import. */
const entries = ['(paths|router|theme)\\.tsx?$'];
const drawing = [pkg('react', 'react-dom', '@mui/material', 'country-flag-icons')];

/** The first rule whose `from` matches holds, so the narrower ones stand first. */
export const rules: Rule[] = [
  {
    name: 'probes: themselves, the light parts of the contract, node; for the API and the collector',
    from: probes,
    may: [probes, light, node],
    mayTypes: [wire],
  },
  { name: 'the light parts of the contract carry no zod', from: light, may: [light], mayTypes: [wire] },
  { name: 'the contract imports itself and zod', from: wire, may: [wire, pkg('zod')] },

  ...apiRules,

  {
    name: 'a parser of a table in host/: runtime, contract (types), node; no source',
    from: /^collector\/src\/host\/tables\//,
    may: [/^collector\/src\/(host\/tables|runtime)\//, /^collector\/src\/host\/(rate|command-line)\.ts$/, light, node],
    mayTypes: [wire],
  },
  {
    name: 'a host source: its own twin, tables, enclosure, journal, runtime, source, node; no other source',
    from: /^collector\/src\/host\//,
    may: [/^collector\/src\/(host|runtime)\//, /^collector\/src\/source\.ts$/, light, node],
    mayTypes: [wire],
    notSibling: {
      what: 'source',
      unit: /^collector\/src\/host\/(?!(?:tables|enclosure|journal)\/|(?:rate|command-line|activity-changes|connection-importance|filesystem-space)\.)([a-z-]+)/,
    },
  },
  {
    name: 'the cluster collector is the only entry that reaches kubernetes/ and serves metrics',
    from: /^collector\/src\/kubernetes\/(main|settings|telemetry)\.ts$/,
    may: [/^collector\/src\//, light, node, pkg('prom-client')],
    mayTypes: [wire],
  },
  {
    name: 'kubernetes: itself, runtime, source, client-node',
    from: /^collector\/src\/kubernetes\//,
    may: [
      /^collector\/src\/(kubernetes|runtime)\//,
      /^collector\/src\/(redact-report|source)\.ts$/,
      light,
      node,
      pkg('@kubernetes/client-node'),
    ],
    mayTypes: [wire],
  },
  {
    name: 'send: itself, runtime, contract (types, limits), node',
    from: /^collector\/src\/send\//,
    may: [/^collector\/src\/(send|runtime)\//, light, node],
    mayTypes: [wire],
  },
  {
    name: 'runtime is made of leaves',
    from: /^collector\/src\/runtime\//,
    may: [/^collector\/src\/runtime\//, light, node],
    mayTypes: [wire],
  },
  {
    name: 'checks: themselves, probes, runtime, send (types), settings, source, node',
    from: /^collector\/src\/checks\//,
    may: [/^collector\/src\/(checks|runtime)\//, /^collector\/src\/settings\.ts$/, probes, light, node],
    mayTypes: [/^collector\/src\/(send\/|source\.ts$)/, wire],
  },
  {
    name: 'the collector: itself but kubernetes/, contract (types, limits), node',
    from: /^collector\/src\//,
    may: [/^collector\/src\/(?!kubernetes\/)/, /^collector\/package\.json$/, light, node],
    mayTypes: [wire],
  },

  {
    name: 'a page: itself, web api, components, format, time, state, contract (types, limits), React, MUI; no other page',
    from: /^web\/src\/pages\//,
    may: [
      web('pages/', 'api/', 'components/', 'format/', 'time/', 'state/', ...entries),
      inBrowser,
      ...drawing,
      pkg('@tanstack/react-query', 'react-markdown', 'remark-gfm', 'uqr'),
    ],
    mayTypes: [wire],
    notSibling: { what: 'page', unit: /^web\/src\/pages\/([a-z-]+)/ },
  },
  {
    name: 'points and markers of a chart: each other, format, time, contract (types, limits); no React',
    from: web('components/chart/(points|markers)/'),
    may: [web('components/chart/(points|markers)/', 'format/', 'time/'), inBrowser],
    mayTypes: [wire],
  },
  {
    name: 'charts: charts, components, format, time, state, React, MUI and its charts',
    from: web('components/chart/'),
    may: [web('components/', 'format/', 'time/', 'state/', ...entries), inBrowser, ...drawing, pkg('@mui/x-charts')],
    mayTypes: [wire],
  },
  {
    name: 'a panel that several pages show: components, and the web api for what it shows',
    // The hook runs changes and takes them back: it stands beside the toast that it fills.
    from: web(
      'components/(capacity|causes|changes|checks|lines)/',
      'components/processes/history-of\\.tsx$',
      'components/feedback/use-undoable\\.ts$',
    ),
    may: [
      web('components/', 'api/', 'format/', 'time/', 'state/', ...entries),
      inBrowser,
      ...drawing,
      pkg('@tanstack/react-query'),
    ],
    mayTypes: [wire],
  },
  {
    name: 'components: components, format, time, state, React, MUI; of the web api its intervals; no page',
    from: web('components/'),
    may: [web('components/', 'format/', 'time/', 'state/', 'api/polling\\.ts$', ...entries), inBrowser, ...drawing],
    mayTypes: [wire],
  },
  {
    name: 'web api: itself, format, time, state, contract (types, limits), react-query',
    from: web('api/'),
    may: [web('api/', 'format/', 'time/', 'state/'), inBrowser, pkg('@tanstack/react-query', 'react')],
    mayTypes: [wire],
  },
  {
    name: 'format: itself, time, contract (types, limits); no React, no state',
    from: web('format/'),
    may: [web('format/', 'time/'), inBrowser],
    mayTypes: [wire],
  },
  {
    name: 'time: itself, the stored value of the zone, contract (types, limits)',
    from: web('time/'),
    may: [web('time/', 'state/stored-value\\.ts$'), inBrowser],
    mayTypes: [wire],
  },
  {
    name: 'state: itself, time, paths, the router, contract (types, limits), React',
    from: web('state/'),
    may: [web('state/', 'time/', '(paths|router)\\.ts$'), inBrowser, pkg('react')],
    mayTypes: [wire],
  },
  {
    name: 'the one file that re-exports the router; its links carry the scope',
    from: /^web\/src\/(router|carried)\.ts$/,
    may: [pkg('react', 'react-router-dom'), web('carried\\.ts$')],
  },
  {
    name: 'the web entry: anything in web',
    from: /^web\/src\/[^/]+\.tsx?$/,
    may: [
      /^web\/src\//,
      inBrowser,
      pkg(
        'react',
        'react-dom',
        '@mui/material',
        '@emotion/react',
        '@tanstack/react-query',
        '@fontsource-variable/inter',
        '@fontsource-variable/jetbrains-mono',
      ),
    ],
    mayTypes: [wire],
  },
];
