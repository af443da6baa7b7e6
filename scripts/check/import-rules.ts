/** Who may import whom. Deny by default: a file no rule covers, or an import no pattern allows, fails the check. */
export interface Rule {
  name: string;
  from: RegExp;
  may: RegExp[];
  /** Allowed for `import type` only. */
  mayTypes?: RegExp[];
  /** Units of one room that must not know each other; the first group of `unit` names the unit. */
  notSibling?: { what: string; unit: RegExp };
}

const node = /^node:/;
const pkg = (...names: string[]) => new RegExp(`^pkg:(${names.join('|')})$`);
const wire = /^api\/contract\//;
/** Parts of the contract that carry no zod: numbers, and pure rules both sides of the wire obey. */
const light = /^api\/contract\/(limits|kubernetes-limits|mask-ip|redact(-[a-z]+)?|headroom)\.ts$/;
const api = (...rooms: string[]) => new RegExp(`^api/src/(${rooms.join('|')})`);
const anywhereInApi = ['errors\\.ts$', 'clock\\.ts$'];
const web = (...folders: string[]) => new RegExp(`^web/src/(${folders.join('|')})`);
/** Files beside the folders of the web that screens may import. */
const entries = ['(paths|router|theme)\\.tsx?$'];
const drawing = [pkg('react', 'react-dom', '@mui/material', '@mui/icons-material', 'country-flag-icons')];
const ports = 'storage/([a-z]+-)?ports\\.ts$';

/** The first rule whose `from` matches holds, so the narrower ones stand first. */
export const rules: Rule[] = [
  { name: 'the light parts of the contract carry no zod', from: light, may: [light], mayTypes: [wire] },
  { name: 'the contract imports itself and zod', from: wire, may: [wire, pkg('zod')] },

  {
    name: 'domain is pure: itself, ports (types), errors, clock, contract',
    from: api('domain/'),
    may: [api('domain/', ...anywhereInApi), wire],
    mayTypes: [api(ports)],
  },
  {
    name: 'ports are types: domain (types) and contract (types)',
    from: api(ports),
    may: [],
    mayTypes: [api('domain/', ports), wire],
  },
  {
    name: 'the embedded database: itself, errors, its own driver',
    from: api('storage/embedded/'),
    may: [api('storage/', 'errors\\.ts$', 'clock\\.ts$', 'domain/'), wire, node, pkg('pg')],
  },
  {
    name: 'storage: ports, contract, errors, domain, its own driver',
    from: api('storage/'),
    may: [api('storage/', 'domain/', ...anywhereInApi), wire, node, pkg('pg', '@prisma/client', '@prisma/adapter-pg')],
  },
  {
    name: 'notify: itself, contract, the one egress helper',
    from: api('notify/'),
    may: [api('notify/', 'egress\\.ts$', ...anywhereInApi), wire, node],
  },
  {
    name: 'ingest, alerts, jobs, ai and auth: each other, domain, ports, the notify port, errors, clock, contract',
    from: api('ingest/', 'alerts/', 'jobs/', 'ai/', 'auth/'),
    may: [
      api(
        'ingest/',
        'alerts/',
        'jobs/',
        'ai/',
        'auth/',
        'domain/',
        'notify/port\\.ts$',
        'egress\\.ts$',
        ...anywhereInApi,
      ),
      wire,
      node,
      pkg('openid-client', 'otpauth'),
    ],
    mayTypes: [api(ports, 'telemetry/'), pkg('zod')],
  },
  {
    name: 'routes and http: routes, http, domain, ingest, auth, ai, telemetry, deps (type), errors, contract, hono',
    from: api('routes/', 'http/'),
    may: [
      api('routes/', 'http/', 'domain/', 'ingest/', 'auth/', 'ai/', 'telemetry/', ...anywhereInApi),
      wire,
      node,
      pkg('hono', '@hono/node-server', 'zod'),
    ],
    mayTypes: [api('deps\\.ts$', 'config\\.ts$', 'alerts/', ports)],
  },
  {
    name: 'telemetry: itself, errors, its libraries',
    from: api('telemetry/'),
    may: [api('telemetry/', ...anywhereInApi), node, pkg('pino', 'pino-pretty', 'prom-client')],
    mayTypes: [api('config\\.ts$')],
  },
  {
    name: 'config: errors and Node',
    from: api('config\\.ts$'),
    may: [api('errors\\.ts$', 'config/'), wire, node, pkg('zod')],
  },
  {
    name: 'errors, clock and egress stand alone',
    from: api('errors\\.ts$', 'clock\\.ts$', 'egress\\.ts$'),
    may: [api('errors\\.ts$'), wire, node],
  },
  {
    name: 'deps, app and main may reach everything in api',
    from: api('(deps|app|main)\\.ts$', 'cli/'),
    may: [/^api\/src\//, wire, node, pkg('hono', '@hono/node-server', 'pino', 'prom-client', 'zod')],
  },

  {
    name: 'a host source: its own twin, lib, source, node; no other source',
    from: /^collector\/src\/host\//,
    may: [/^collector\/src\/(host|lib)\//, /^collector\/src\/source\.ts$/, light, node],
    mayTypes: [wire],
    notSibling: { what: 'source', unit: /^collector\/src\/host\/([a-z-]+)/ },
  },
  {
    name: 'kubernetes: itself, lib, source, client-node',
    from: /^collector\/src\/kubernetes\//,
    may: [
      /^collector\/src\/(kubernetes|lib)\//,
      /^collector\/src\/source\.ts$/,
      light,
      node,
      pkg('@kubernetes/client-node'),
    ],
    mayTypes: [wire],
  },
  {
    name: 'send: itself, lib, contract (types, limits), node',
    from: /^collector\/src\/send\//,
    may: [/^collector\/src\/(send|lib)\//, light, node],
    mayTypes: [wire],
  },
  {
    name: 'lib is made of leaves',
    from: /^collector\/src\/lib\//,
    may: [/^collector\/src\/lib\//, light, node],
    mayTypes: [wire],
  },
  {
    name: 'the cluster collector is the only entry that reaches kubernetes/ and serves metrics',
    from: /^collector\/src\/cluster(-[a-z]+)?\.ts$/,
    may: [/^collector\/src\//, light, node, pkg('prom-client')],
    mayTypes: [wire],
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
      light,
      ...drawing,
      pkg('@tanstack/react-query', '@tanstack/react-virtual', 'uqr'),
    ],
    mayTypes: [wire],
    notSibling: { what: 'page', unit: /^web\/src\/pages\/([a-z-]+)/ },
  },
  {
    name: 'points and markers of a chart: each other, format, time, contract (types, limits); no React',
    from: web('components/chart/(points|markers)/'),
    may: [web('components/chart/(points|markers)/', 'format/', 'time/'), light],
    mayTypes: [wire],
  },
  {
    name: 'charts: charts, components, format, time, state, React, MUI and its charts',
    from: web('components/chart/'),
    may: [web('components/', 'format/', 'time/', 'state/', ...entries), light, ...drawing, pkg('@mui/x-charts')],
    mayTypes: [wire],
  },
  {
    name: 'components: components, format, time, state, React, MUI; of the web api its intervals; no page',
    from: web('components/'),
    may: [
      web('components/', 'format/', 'time/', 'state/', 'api/polling\\.ts$', ...entries),
      light,
      ...drawing,
      pkg('@tanstack/react-virtual'),
    ],
    mayTypes: [wire],
  },
  {
    name: 'web api: itself, format, time, state, contract (types, limits), react-query',
    from: web('api/'),
    may: [web('api/', 'format/', 'time/', 'state/'), light, pkg('@tanstack/react-query', 'react')],
    mayTypes: [wire],
  },
  {
    name: 'format: itself, time, contract (types, limits); no React, no state',
    from: web('format/'),
    may: [web('format/', 'time/'), light],
    mayTypes: [wire],
  },
  {
    name: 'time: itself, the stored value of the zone, contract (types, limits)',
    from: web('time/'),
    may: [web('time/', 'state/stored-value\\.ts$'), light],
    mayTypes: [wire],
  },
  {
    name: 'state: itself, time, paths, the router, contract (types, limits), React',
    from: web('state/'),
    may: [web('state/', 'time/', '(paths|router)\\.ts$'), light, pkg('react')],
    mayTypes: [wire],
  },
  { name: 'the one file that re-exports the router', from: /^web\/src\/router\.ts$/, may: [pkg('react-router-dom')] },
  {
    name: 'the web entry: anything in web',
    from: /^web\/src\/[^/]+\.tsx?$/,
    may: [
      /^web\/src\//,
      light,
      pkg(
        'react',
        'react-dom',
        '@mui/material',
        '@mui/icons-material',
        '@emotion/react',
        '@tanstack/react-query',
        '@fontsource-variable/inter',
        '@fontsource-variable/jetbrains-mono',
      ),
    ],
    mayTypes: [wire],
  },
];
