/** Describes every setting that config.ts reads; docs/configuration.md is made of it. */
export interface Setting {
  /** The environment variables that are set together. */
  names: readonly string[];
  /** Markdown: the value without the setting; – for a feature that is off without it. */
  fallback: string;
  meaning: string;
  /** Each name also exists with `_FILE` behind it: the path of a file that holds the value. */
  isSecret?: true;
  /** A number or one of a few words: the support bundle shows the value. Of any other setting it says that it is set. */
  isShown?: true;
}

export interface SettingGroup {
  title: string;
  settings: readonly Setting[];
}

export const SETTING_GROUPS: readonly SettingGroup[] = [
  {
    title: 'Address',
    settings: [
      {
        names: ['PLIMSOLL_HOST'],
        fallback: '`127.0.0.1`',
        meaning:
          'address that the dashboard listens on; `::` lets other machines in, by IPv6 and IPv4, `0.0.0.0` by IPv4 alone',
      },
      { names: ['PLIMSOLL_PORT'], isShown: true, fallback: '`8420`', meaning: 'its port; 0 takes a free one' },
      {
        names: ['PLIMSOLL_PUBLIC_URL'],
        fallback: "the browser's origin",
        meaning: 'address at which browsers and collectors reach the dashboard, such as `https://plimsoll.example.com`',
      },
      {
        names: ['PLIMSOLL_TRUSTED_PROXIES'],
        fallback: '–',
        meaning:
          'addresses and CIDR ranges, with commas between, whose X-Forwarded-For and X-Forwarded-Proto are believed',
      },
      {
        names: ['PLIMSOLL_METRICS_PORT'],
        isShown: true,
        fallback: 'the port of the dashboard',
        meaning:
          'own port of `/metrics` ([metrics.md](metrics.md)), so that a proxy in front of the dashboard does not publish it',
      },
    ],
  },
  {
    title: 'Data',
    settings: [
      {
        names: ['PLIMSOLL_DATA_DIR'],
        fallback: '`.plimsoll` in the checkout',
        meaning: 'folder of the embedded database and of the keys that Plimsoll makes',
      },
      {
        names: ['DATABASE_URL'],
        fallback: 'the embedded PostgreSQL 18',
        meaning:
          'any PostgreSQL 14 or newer instead, as `postgresql://user:password@host/database`; of several hosts (`host1:5432,host2:5432`) the API uses the one that can write',
        isSecret: true,
      },
      {
        names: ['PLIMSOLL_LISTEN_URL'],
        fallback: '`DATABASE_URL`',
        meaning:
          'address of PostgreSQL itself, with the same user and database, if `DATABASE_URL` leads through a pooler in transaction mode ([scaling.md](scaling.md))',
        isSecret: true,
      },
      {
        names: ['DATABASE_CA_FILE'],
        fallback: "Node's authorities",
        meaning:
          'PEM file of the authority that signed the certificate of that PostgreSQL; its host name is checked, too',
      },
      {
        names: ['PLIMSOLL_DATABASE_USER'],
        fallback: '`plimsoll-database`, created',
        meaning: 'as root: the system user that runs the embedded PostgreSQL',
      },
      {
        names: ['XDG_RUNTIME_DIR'],
        fallback: '–',
        meaning: 'folder for sockets of this user, set by the system; the embedded PostgreSQL has its socket there',
      },
      {
        names: ['PLIMSOLL_SECRET_KEY'],
        fallback: '`secret.key` in the data folder',
        meaning:
          'encrypts secrets that must be read again, such as tokens of channels: 32 bytes in base64. All replicas need the same',
        isSecret: true,
      },
      {
        names: ['PLIMSOLL_BACKUP_PASSPHRASE'],
        fallback: '–',
        meaning: 'encrypts and opens backups ([backup.md](backup.md)); at least 16 characters',
        isSecret: true,
      },
      {
        names: ['PLIMSOLL_BACKUP_DIR'],
        fallback: '–',
        meaning:
          'folder that the API writes a backup into once a day ([backup.md](backup.md)); of several replicas only one may have it',
      },
      {
        names: ['PLIMSOLL_BACKUP_TIME'],
        isShown: true,
        fallback: '`03:15`',
        meaning: 'time of day of that backup, in UTC; one that was missed is written at the next start',
      },
      {
        names: ['PLIMSOLL_BACKUP_KEEP'],
        isShown: true,
        fallback: '`14`',
        meaning: 'how many of these backups stay; the API deletes older ones after a new one is whole',
      },
      {
        names: ['PLIMSOLL_PLAN_LIMITS'],
        isShown: true,
        fallback: '`off`',
        meaning:
          '`free`, `pro` or `business`: limits on servers and history for every account; what is a week older than the plan shows is deleted, except alerts',
      },
    ],
  },
  {
    title: 'Time-series store',
    settings: [
      {
        names: ['PLIMSOLL_SERIES_WRITE_URL'],
        fallback: '–',
        meaning:
          'remote write of a Prometheus-compatible store that keeps every raw sample ([scaling.md](scaling.md)), such as `http://victoria-metrics:8428/api/v1/write`; `{tenant}` stands for the tenant',
      },
      {
        names: ['PLIMSOLL_SERIES_READ_URL'],
        fallback: '–',
        meaning:
          'its address before `/api/v1/query`, such as `http://victoria-metrics:8428`; needed with the one above',
      },
      {
        names: ['PLIMSOLL_SERIES_DELETE_URL'],
        fallback: '–',
        meaning:
          'its call that deletes series, such as `http://victoria-metrics:8428/api/v1/admin/tsdb/delete_series`; without it, samples of a deleted server stay in the store until it drops them by their age',
      },
      {
        names: ['PLIMSOLL_SERIES_TENANT_HEADER'],
        fallback: '–',
        meaning: 'header that gives the store the tenant, such as `X-Scope-OrgID` of Mimir',
      },
      { names: ['PLIMSOLL_SERIES_TOKEN'], fallback: '–', meaning: 'bearer token of the store', isSecret: true },
    ],
  },
  {
    title: 'Accounts and sign-in',
    settings: [
      {
        names: ['PLIMSOLL_ADMIN_EMAIL', 'PLIMSOLL_ADMIN_PASSWORD'],
        fallback: '–',
        meaning: 'create the first account at start; the password has at least 12 characters',
        isSecret: true,
      },
      {
        names: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'],
        fallback: '–',
        meaning: 'sign-in with GitHub',
        isSecret: true,
      },
      { names: ['GITHUB_URL'], fallback: '`https://github.com`', meaning: 'a GitHub Enterprise Server instead' },
      {
        names: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
        fallback: '–',
        meaning: 'sign-in with Google',
        isSecret: true,
      },
      {
        names: ['GOOGLE_ISSUER'],
        fallback: '`https://accounts.google.com`',
        meaning: 'a gateway in front of Google instead',
      },
      {
        names: ['OIDC_ISSUER'],
        fallback: '–',
        meaning: 'sign-in with any OpenID Connect issuer; needs the two settings below',
      },
      {
        names: ['OIDC_ADMIN_GROUPS', 'OIDC_EDITOR_GROUPS', 'OIDC_VIEWER_GROUPS'],
        fallback: '–',
        meaning:
          'groups of the issuer, separated by commas, that give a role in the organisation of the first account; each sign-in settles it anew',
      },
      {
        names: ['OIDC_GROUPS_CLAIM'],
        fallback: '`groups`',
        meaning: 'claim of the id token or of the user info that lists the groups',
      },
      {
        names: ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'],
        fallback: '–',
        meaning: 'id and secret of Plimsoll at this issuer',
        isSecret: true,
      },
      {
        names: ['PLIMSOLL_SIGN_UP_EMAILS', 'PLIMSOLL_SIGN_UP_DOMAINS', 'PLIMSOLL_SIGN_UP_GITHUB_ORGANISATIONS'],
        fallback: 'nobody',
        meaning: 'lists, with commas between: who may create an account through GitHub, Google or OpenID Connect',
      },
    ],
  },
  {
    title: 'Notifications',
    settings: [
      {
        names: ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_CHAT_ID'],
        fallback: '–',
        meaning: 'send the alerts of the first account to this chat ([alerts.md](alerts.md))',
        isSecret: true,
      },
      {
        names: ['TELEGRAM_API_URL'],
        fallback: '`https://api.telegram.org`',
        meaning: 'Bot API server of every Telegram channel',
      },
      {
        names: ['PLIMSOLL_HEARTBEAT_URL'],
        fallback: '–',
        meaning: 'called every minute while the API and its database work',
        isSecret: true,
      },
      {
        names: ['PLIMSOLL_MESSAGE_PROXY_URL'],
        fallback: '–',
        meaning:
          'HTTP proxy of the messages over HTTP and of the heartbeat, such as `http://user:password@proxy:3128`. Allowed private addresses and mail servers are reached directly.',
        isSecret: true,
      },
      {
        names: ['PLIMSOLL_MESSAGE_PROXY_RESOLVES'],
        isShown: true,
        fallback: '`no`',
        meaning:
          '`yes`: this proxy resolves the names of channels, and must itself refuse private addresses. `no`: Plimsoll resolves and checks each name and gives the proxy the address.',
      },
      {
        names: ['PLIMSOLL_ALLOWED_PRIVATE_RANGES'],
        fallback: 'none',
        meaning:
          'private addresses and CIDR ranges, with commas between, that channels and AI servers of accounts may lead to',
      },
    ],
  },
  {
    title: 'AI chat',
    settings: [
      {
        names: ['AI_PROVIDER'],
        isShown: true,
        fallback: '`openai-compatible`',
        meaning: '`openai-compatible` or `anthropic` ([ai.md](ai.md))',
      },
      {
        names: ['AI_MODEL'],
        fallback: '–',
        meaning: 'name of the model; without it answers come from the figures alone',
      },
      { names: ['AI_API_KEY'], fallback: '–', meaning: 'key of the provider', isSecret: true },
      {
        names: ['AI_BASE_URL'],
        fallback: "the provider's own",
        meaning: 'another server that speaks its API, such as `http://127.0.0.1:11434/v1`; it may need no key',
      },
    ],
  },
  {
    title: 'Collectors',
    settings: [
      {
        names: ['PLIMSOLL_REPORT_INTERVAL_SECONDS'],
        isShown: true,
        fallback: '`60`',
        meaning: 'seconds between two reports, from 1 to 3600; every response sends it to the collector',
      },
      {
        names: ['PLIMSOLL_IMAGE_REGISTRY', 'PLIMSOLL_IMAGE_TAG'],
        fallback: "–, the chart's",
        meaning: "registry and tag of the images in Setup's Helm command",
      },
      {
        names: ['PLIMSOLL_CLUSTER_TOKEN'],
        fallback: '–',
        meaning: 'cluster token of the collectors that the chart installs together with the API; the chart sets it',
        isSecret: true,
      },
      {
        names: ['PLIMSOLL_LOCAL_ENROLMENT_FILE'],
        fallback: '–',
        meaning: "file for the token of this machine's own collector; `npm start` sets it",
      },
    ],
  },
  {
    title: 'Logs',
    settings: [
      {
        names: ['PLIMSOLL_LOG_LEVEL'],
        isShown: true,
        fallback: '`info`',
        meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
      },
      {
        names: ['PLIMSOLL_LOG_FORMAT'],
        isShown: true,
        fallback: '`auto`',
        meaning: '`json`, `pretty`, or `auto`: pretty on a terminal, else JSON',
      },
    ],
  },
  {
    title: 'Parts of a build',
    settings: [
      { names: ['PLIMSOLL_WEB_DIR'], fallback: '`web/dist`', meaning: 'the built dashboard' },
      { names: ['PLIMSOLL_AGENT_DIR'], fallback: '`dist/agent`', meaning: 'install kits of the collector' },
      { names: ['PLIMSOLL_CHART_FILE'], fallback: '`dist/charts/plimsoll.tgz`', meaning: 'the packaged chart' },
      {
        names: ['PLIMSOLL_DEMO'],
        isShown: true,
        fallback: '`off`',
        meaning: '`on`: every page says "Demo data"; `npm start -- --demo` sets it',
      },
    ],
  },
];

const row = ({ names, fallback, meaning, isSecret }: Setting): string =>
  `| ${names.map((name) => `\`${name}\``).join(', ')}${isSecret ? ' *' : ''} | ${fallback} | ${meaning} |`;

/** The text of docs/configuration.md. */
export const settingsReference = (): string =>
  [
    '# Configuration\n',
    'All settings of the API are environment variables. It reads them once, at start, and refuses to start with one line',
    'for each mistake: the variable, what is wrong, what to do. An empty value counts as not set.\n',
    'A setting with * is a secret: each of its names also exists with `_FILE` behind it, the path of a file that holds the',
    'value, as containers mount secrets. Set one of the two.\n',
    'Collectors get their settings from the command of Setup ([install.md](install.md), [collector.md](collector.md)); a',
    'cluster from the values of the chart ([its README](../charts/plimsoll/README.md)).',
    ...SETTING_GROUPS.map(
      ({ title, settings }) =>
        `\n## ${title}\n\n| variable | without it | meaning |\n|---|---|---|\n${settings.map(row).join('\n')}`,
    ),
    '',
  ].join('\n');
