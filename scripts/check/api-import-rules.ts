/**
 * Rules of `api/src`. One folder per noun; the role of a file inside it decides what the file may import.
 *
 *     types, rules ◄── store ◄── adapter (postgres)
 *                  ◄── verbs ◄── jobs, routes
 */
import type { Matcher, Rule } from './import-rules.ts';

const NOUNS = [
  'accounts',
  'activity',
  'ai',
  'alerts',
  'containers',
  'external-metrics',
  'hidden-parts',
  'installation',
  'kubernetes',
  'live',
  'notify',
  'operator',
  'processes',
  'reports',
  'series',
  'servers',
  'status-pages',
  'tenancy',
] as const;
type Noun = (typeof NOUNS)[number];

type Role = 'types' | 'rule' | 'store' | 'adapter' | 'verb' | 'jobs' | 'routes';

/** Files that act: they read or write through a store, a clock or the network. Any other file of a noun is a pure rule. */
const VERBS: Record<Noun, readonly string[]> = {
  accounts: [
    'api-tokens/create-api-token',
    'api-tokens/revoke-api-token',
    'avatar',
    'change-password',
    'external',
    'failed-sign-ins',
    'first-run',
    'github',
    'hash-queue',
    'local',
    'oidc',
    'passwords',
    'provider',
    'recover',
    'remembered-device',
    'second-factor',
    'secret-encryption',
    'session',
    'sessions/exchange-code',
    'sessions/refresh-session',
    'sessions/revoke-session',
    'sessions/sign-out',
    'sessions/start-session',
    'settings/begin-second-factor',
    'settings/change-retention',
    'settings/confirm-second-factor',
    'settings/delete-account',
    'settings/remove-second-factor',
    'settings/reset-retention',
    'settings/start-export',
    'settings/withdraw-deletion',
    'sign-up-invited',
  ],
  activity: [],
  containers: [],
  'hidden-parts': ['apply-hidden', 'hidden-mounts', 'hide-part', 'show-part'],
  ai: [
    'analyser/analyse',
    'analyser/gather-evidence',
    'ask',
    'ask-model',
    'change-settings',
    'create-model',
    'delete-conversation',
    'delete-settings',
    'health',
    'keep-answer',
    'mcp-server',
    'model-failure',
    'provider',
    'rename-conversation',
    'run-tool',
    'settings',
    'test-model',
    'tools/alerts',
    'tools/all',
    'tools/disks',
    'tools/incidents',
    'tools/kubernetes',
    'tools/processes',
    'tools/rules',
    'tools/series',
    'tools/servers',
  ],
  'external-metrics': ['read-metrics', 'read-worker', 'receive-metrics', 'report-intervals'],
  installation: ['describe-installation'],
  kubernetes: [
    'accept-cluster-report',
    'acting/answer-log-request',
    'acting/create-cluster-token',
    'acting/enrol-node',
    'acting/remove-cluster',
    'acting/rename-cluster',
    'acting/request-pod-logs',
    'acting/revoke-cluster-token',
    'acting/separate-cluster',
    'acting/stand-by',
    'cluster-tokens',
    'scope',
  ],
  alerts: [
    'acting/acknowledge-alert',
    'acting/change-alerts',
    'acting/undo-operation',
    'evaluation/evaluate-batch',
    'evaluation/evaluate-cluster',
    'evaluation/judge-refusals',
    'evaluation/judge-silence',
    'prometheus/import-rules',
    'prometheus/plan-import',
    'prometheus/read-rule-file',
    'prometheus/read-rules',
    'rehearsal/hours',
    'rehearsal/rehearse-rule',
    'rules/create-rule',
    'rules/delete-rule',
    'rules/put-in-force',
    'rules/resolve-unruled',
    'rules/rule-target',
    'rules/update-rule',
    'rule-cache',
    'silences/audited-silence',
    'silences/create-silence',
    'silences/delete-silence',
    'silences/require-room',
    'silences/silence-input',
    'silences/update-silence',
  ],
  live: ['change-bus', 'change-feed', 'event-streams'],
  notify: [
    'channel-secrets',
    'channels/discord',
    'channels/email',
    'channels/http',
    'channels/ntfy',
    'channels/pagerduty',
    'channels/slack',
    'channels/teams',
    'channels/telegram',
    'channels/webhook',
    'cluster-channel',
    'environment-channel',
    'heartbeat',
    'refuse-private',
    'send-due',
    'setup/change-channel',
    'setup/check-channel',
    'setup/create-channel',
    'setup/delete-channel',
    'setup/move-chat',
    'setup/require-channel',
    'setup/seal-old-settings',
    'setup/test-channel',
  ],
  operator: ['apply-objects', 'change-permission', 'sync-objects'],
  processes: [],
  reports: [
    'accept-report',
    'answer-reads',
    'judge-item',
    'note-refusal',
    'read-cluster',
    'read-report',
    'read-thread',
    'read-worker',
    'reporters',
  ],
  series: [
    'range',
    'remote/delete-series',
    'remote/read-chart',
    'remote/series-store',
    'remote/ship-samples',
    'remote/verify-hours',
    'update-disk-trends',
  ],
  servers: [
    'change-server',
    'create-enrolment-token',
    'delete-server',
    'enrol',
    'kits',
    'lan-addresses',
    'require-server',
    'revoke-enrolment-token',
    'scope',
    'sign-off-agent',
    'transfer-server',
  ],
  'status-pages': ['change-page', 'create-page', 'delete-page', 'published-pages', 'require-draft'],
  tenancy: [
    'change-role',
    'end-access',
    'invite-member',
    'join-organisation',
    'look-at-invitation',
    'remove-member',
    'rename-organisation',
    'withdraw-invitation',
  ],
};

/** Verbs of another noun that a noun may call. There is no way back: the cycle check covers it. */
const CALLS: Partial<Record<Noun, readonly Noun[]>> = {
  accounts: ['live', 'tenancy'],
  alerts: ['live', 'series', 'servers'],
  activity: ['series', 'servers'],
  containers: ['servers'],
  'hidden-parts': ['alerts', 'live', 'servers'],
  ai: ['accounts', 'servers'],
  'external-metrics': ['alerts', 'live', 'reports', 'servers'],
  kubernetes: ['alerts', 'live', 'reports', 'series', 'servers'],
  notify: ['accounts'],
  operator: ['accounts', 'alerts', 'notify', 'servers'],
  processes: ['series', 'servers'],
  reports: ['alerts', 'hidden-parts', 'live', 'servers'],
  series: ['servers'],
  servers: ['live', 'series'],
  'status-pages': ['alerts'],
};

const inNoun = /^api\/src\/([a-z-]+)\/(.+)$/;

/** Returns noun and role of a file in a noun's folder, null for any other file. */
function placeOf(file: string): { noun: Noun; role: Role } | null {
  const [, folder = '', rest = ''] = inNoun.exec(file) ?? [];
  const noun = NOUNS.find((name) => name === folder);
  if (noun === undefined) return null;
  return { noun, role: roleOf(noun, rest) };
}

function roleOf(noun: Noun, rest: string): Role {
  if (/^postgres(\.ts$|\/)/.test(rest)) return 'adapter';
  if (/^routes(\.ts$|\/)/.test(rest)) return 'routes';
  if (rest === 'jobs.ts') return 'jobs';
  if (rest === 'types.ts') return 'types';
  if (rest === 'store.ts') return 'store';
  return VERBS[noun].includes(rest.replace(/\.ts$/, '')) ? 'verb' : 'rule';
}

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
      pkg('@bufbuild/protobuf', '@zxcvbn-ts/language-common', 'otpauth', 'zod'),
    ],
    mayTypes: [clock],
  },
  {
    name: 'a port: types of any noun',
    from: isRole('store'),
    may: [],
    mayTypes: [any('types', 'rule'), own('store'), everywhere, contract],
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
    name: 'config: its reader of the environment, the form of a database address, errors, contract and Node',
    from: api('config\\.ts$'),
    may: [everywhere, api('environment\\.ts$', 'database/connection\\.ts$'), contract, node],
  },
  {
    name: 'egress: its proxy, errors, contract and Node',
    from: api('egress\\.ts$'),
    may: [everywhere, api('egress-proxy\\.ts$'), contract, node],
  },
  {
    name: 'errors, clock, page, version, concurrency-limit, egress-proxy, environment and settings stand alone',
    from: api('(errors|clock|page|version|concurrency-limit|egress-proxy|environment|settings)\\.ts$'),
    may: [everywhere, contract, node],
  },
  {
    name: 'storage names every adapter: ports, adapters, database',
    from: api('storage\\.ts$'),
    may: [any('adapter'), clock, api('database/')],
    mayTypes: [any('store')],
  },
  {
    name: 'deps, app, serve, main and the command line may reach everything in api',
    from: api('(deps|app|serve|main)\\.ts$', 'cli/'),
    may: [/^api\/src\//, contract, node, pkg('hono', 'pg', 'tar-stream', 'zod')],
  },
];
