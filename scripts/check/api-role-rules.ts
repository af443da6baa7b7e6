/**
 * Rules of `api/src`. One folder per noun; the role of a file inside it decides what the file may import.
 *
 *     types, rules ◄── store ◄── adapter (postgres)
 *                  ◄── verbs ◄── jobs, routes
 */
import { CALLS, placeOf, type Role } from './api-import-rules.ts';
import type { Matcher, Rule } from './import-rules.ts';

const isRole =
  (...roles: Role[]): Matcher =>
  (file) => {
    const place = placeOf(file);
    return place !== null && roles.includes(place.role);
  };
/** Files of these roles in any noun. */
const any = isRole;
/** Files of these roles in the importing file's own folder. */
const own =
  (...roles: Role[]): Matcher =>
  (to, from) => {
    const [target, source] = [placeOf(to), placeOf(from)];
    return target !== null && target.noun === source?.noun && roles.includes(target.role);
  };
/** Verbs of the nouns that the importing noun may call. */
const called: Matcher = (to, from) => {
  const [target, source] = [placeOf(to), placeOf(from)];
  return target?.role === 'verb' && source !== null && (CALLS[source.noun] ?? []).includes(target.noun);
};

const node = /^node:/;
const pure = /^node:(crypto|net|util|path|url|buffer|zlib)$/;
const pkg = (...names: string[]) => new RegExp(`^pkg:(${names.join('|')})$`);
const contract = /^api\/contract\//;
const api = (...paths: string[]) => new RegExp(`^api/src/(${paths.join('|')})`);
const everywhere = api('errors\\.ts$', 'page\\.ts$');
const clock = api('clock\\.ts$');
const concurrencyLimit = api('concurrency-limit\\.ts$');
const body = api('http/(inflate|parse-json|units)\\.ts$');
const wired = api('storage\\.ts$', 'deps\\.ts$', 'config\\.ts$');

export const apiRules: Rule[] = [
  {
    name: 'types and rules: contract, errors, types and rules of any noun; no I/O',
    from: isRole('types', 'rule'),
    may: [
      any('types', 'rule'),
      everywhere,
      contract,
      pure,
      pkg('@bufbuild/protobuf', '@zxcvbn-ts/language-common', 'croner', 'otpauth', 'zod'),
    ],
    mayTypes: [clock],
  },
  {
    name: 'a port: types of any noun',
    from: isRole('store'),
    may: [],
    mayTypes: [any('types', 'rule'), own('store'), api('database/store\\.ts$'), everywhere, contract],
  },
  {
    name: 'an adapter: its own port, types and rules of any noun, database, contract; no other adapter',
    from: isRole('adapter'),
    may: [own('adapter'), any('types', 'rule'), everywhere, clock, api('database/'), contract, node, pkg('pg')],
    mayTypes: [own('store')],
  },
  {
    name: 'a verb: its own rules and port; ports, types and rules of other nouns; listed verbs of other nouns; egress',
    from: isRole('verb'),
    may: [
      own('verb'),
      called,
      any('types', 'rule'),
      everywhere,
      clock,
      concurrencyLimit,
      body,
      api('egress\\.ts$'),
      contract,
      node,
      pkg(
        '@ai-sdk/anthropic',
        '@ai-sdk/openai-compatible',
        '@modelcontextprotocol/sdk',
        'ai',
        'js-yaml',
        'nodemailer',
        'openid-client',
        'snappyjs',
        'zod',
      ),
    ],
    mayTypes: [any('store'), api('jobs/', 'telemetry/'), wired],
  },
  {
    name: 'jobs: own verbs and port, the scheduler',
    from: isRole('jobs'),
    may: [own('verb'), called, any('types', 'rule'), everywhere, clock, contract],
    mayTypes: [own('store'), api('jobs/', 'telemetry/')],
  },
  {
    name: 'routes: http, own folder but the adapter, contract; ports, types and rules of other nouns',
    from: isRole('routes'),
    may: [
      own('routes', 'verb'),
      called,
      any('types', 'rule'),
      everywhere,
      api('http/'),
      contract,
      node,
      pkg('@modelcontextprotocol/sdk', 'hono', 'zod'),
    ],
    mayTypes: [any('store'), wired, clock, api('telemetry/')],
  },
  {
    name: 'authenticate, audit, call-route, define-route and mount-routes: the kinds of callers and their roles; no other part of http names a noun',
    from: api('http/(authenticate|audit|call-route|define-route|docs|mount-routes)\\.ts$'),
    may: [
      api('http/', 'accounts/(tokens|session)\\.ts$'),
      everywhere,
      any('types', 'rule'),
      contract,
      pkg('hono', 'zod'),
    ],
    mayTypes: [any('store'), wired],
  },
  {
    name: 'http: itself, errors, contract; no noun',
    from: api('http/'),
    may: [api('http/'), everywhere, clock, concurrencyLimit, contract, node, pkg('hono', '@hono/node-server', 'zod')],
    mayTypes: [wired, api('telemetry/')],
  },
  {
    name: 'retention: database, and the steps that sums are kept in',
    from: api('database/prune\\.ts$'),
    may: [api('database/', 'series/fleet-steps\\.ts$'), everywhere, clock, contract, pkg('pg')],
  },
  {
    name: 'database: itself, errors, its driver; no noun',
    from: api('database/'),
    may: [
      api('database/'),
      everywhere,
      clock,
      contract,
      node,
      pkg('pg', 'pg-copy-streams', '@prisma/client', '@prisma/adapter-pg'),
    ],
    mayTypes: [api('jobs/')],
  },
  {
    name: 'jobs/: the scheduler knows no job',
    from: api('jobs/'),
    may: [api('jobs/'), everywhere, clock, contract],
    mayTypes: [api('telemetry/')],
  },
  {
    name: 'telemetry: itself, its libraries; its routes also http',
    from: api('telemetry/routes\\.ts$'),
    may: [api('telemetry/', 'http/'), everywhere, contract, pkg('zod')],
    mayTypes: [wired, any('types')],
  },
  {
    name: 'telemetry: itself, its libraries',
    from: api('telemetry/'),
    may: [api('telemetry/'), everywhere, clock, contract, node, pkg('pino', 'pino-pretty', 'prom-client')],
    mayTypes: [api('config\\.ts$')],
  },
  {
    name: 'config and settings: each other, the form of a database address, errors, contract and Node',
    from: api('config\\.ts$', 'settings/'),
    may: [everywhere, api('settings/', 'database/connection\\.ts$'), contract, node],
  },
  {
    name: 'egress: its proxy, errors, contract and Node',
    from: api('egress\\.ts$'),
    may: [everywhere, api('egress-proxy\\.ts$'), contract, node],
  },
  {
    name: 'errors, clock, page, version, concurrency-limit and egress-proxy stand alone',
    from: api('(errors|clock|page|version|concurrency-limit|egress-proxy)\\.ts$'),
    may: [everywhere, contract, node],
  },
  {
    name: 'storage: the ports of all nouns and of the database',
    from: api('storage\\.ts$'),
    may: [],
    mayTypes: [any('store'), api('database/store\\.ts$')],
  },
  {
    name: 'postgres-storage names every adapter: adapters, database',
    from: api('postgres-storage\\.ts$'),
    may: [any('adapter'), clock, api('database/')],
    mayTypes: [wired],
  },
  {
    name: 'deps, app, serve, schedulers, main and the command line may reach everything in api',
    from: api('(deps|app|serve|schedulers|main)\\.ts$', 'cli/'),
    may: [/^api\/src\//, contract, node, pkg('hono', 'pg', 'tar-stream', 'zod')],
  },
];
