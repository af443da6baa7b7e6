import { AI_PROVIDERS, type AiProviderName } from '@plimsoll/contract/rules/ai-limits';
import { IMAGE_REGISTRY } from '@plimsoll/contract/rules/image-registry';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { ConfigError, EnvironmentReader, type Environment, type OAuthClient } from './environment.ts';
import { splitHosts } from './database/connection.ts';
import { REPORT_INTERVAL_SECONDS } from '@plimsoll/contract/rules/limits';

/** The settings of the API, read from the environment once at start and passed in from there. */
export interface Config {
  host: string;
  port: number;
  /** Own port of /metrics, which `port` then does not serve; null: /metrics is on `port`. */
  metricsPort: number | null;
  /** Embedded database, generated keys. Absolute or relative to the working directory. */
  dataDir: string;
  /** null: the embedded PostgreSQL. */
  databaseUrl: string | null;
  /** Leads to PostgreSQL itself where `databaseUrl` leads through a pooler in transaction mode; null: `databaseUrl` does. */
  listenUrl: string | null;
  /** File of the authority that signed the certificate of that database, PEM; null: Node's own authorities. */
  databaseCaFile: string | null;
  /** A Prometheus-compatible store of the raw history; null: none. `{tenant}` in a URL stands for the tenant. */
  seriesStore: {
    writeUrl: string;
    readUrl: string;
    deleteUrl: string | null;
    tenantHeader: string | null;
    token: string | null;
  } | null;
  /** The system user that runs the embedded PostgreSQL when the API is root; null: one of its own. */
  databaseUser: string | null;
  /** Folder of this user for sockets; null: the machine gives none. */
  runtimeDir: string | null;
  /** Origin users and agents reach us at, without a trailing slash; null: the browser's own origin. */
  publicUrl: string | null;
  /** Creates the first account at start. */
  admin: { email: string; password: string } | null;
  github: OAuthClient | null;
  /** https://github.com, or a GitHub Enterprise Server. */
  githubUrl: string;
  google: OAuthClient | null;
  /** https://accounts.google.com, or a gateway that speaks for it. */
  googleIssuer: string;
  oidc: (OAuthClient & { issuer: string }) | null;
  /** Roles in the operator's organisation by the groups of the issuer; null: groups mean nothing. */
  oidcGroups: { claim: string; admin: string[]; editor: string[]; viewer: string[] } | null;
  /** Allowed to create an account through GitHub, Google or OIDC; empty lists allow nobody. */
  signUp: { emails: string[]; domains: string[]; githubOrganisations: string[] };
  /** The model of the assistant; null: organisations set their own, or answers come from the figures alone. */
  ai: { provider: AiProviderName; baseUrl: string; apiKey: string | null; model: string } | null;
  telegram: { botToken: string; chatId: string } | null;
  /** https://api.telegram.org, or a Bot API server of the operator. */
  telegramApiUrl: string;
  /** Called every minute while the API works; null: nothing is called. */
  heartbeatUrl: string | null;
  /** The way out for messages and the heartbeat; null: directly. */
  messageProxy: { url: string; resolvesNames: boolean } | null;
  /** Private addresses and CIDR ranges that URLs of users may lead to. */
  allowedPrivateRanges: string[];
  /** Addresses or CIDR ranges whose X-Forwarded-For and X-Forwarded-Proto are believed. */
  trustedProxies: string[];
  log: { level: (typeof LOG_LEVELS)[number]; format: 'json' | 'pretty' };
  /** File for the token of this machine's own collector; null: the start creates no token. */
  localEnrolmentFile: string | null;
  /** Cluster token of the collectors installed together with this API; null: none. */
  clusterToken: string | null;
  /** The built dashboard; an API without it answers calls only. */
  webDir: string;
  /** Kits of the collector, one folder per version, as `npm run build:agent` makes them. */
  agentDir: string;
  installScript: string;
  /** The packaged chart; absent: its call answers 404 with the remedy. */
  chartFile: string;
  /** Images of Setup's Helm command; registry null: Setup has a field for it; tag null: the chart's. */
  images: { registry: string | null; tag: string | null };
  /** Seconds between two reports. Every response sends it to the collector. */
  reportIntervalSeconds: number;
  /** The plan whose limits on servers and history hold for every account; null: no limits. */
  planLimits: 'free' | 'pro' | 'business' | null;
  /** Every page says that its data is invented. */
  isDemo: boolean;
  /**
   * Seals what must be read again (second factors, channel tokens): 32 bytes in base64; null: a key file in dataDir.
   */
  secretKey: Buffer | null;
  /** Encrypts and opens backups; null: backups are not encrypted. */
  backupPassphrase: string | null;
  /** The backup that the API writes itself every day; null: none. */
  backupSchedule: { folder: string; minuteOfDay: number; keep: number } | null;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const LOG_FORMATS = ['json', 'pretty', 'auto'] as const;
/** Shortest password of an account made from the environment; the same as at first run. */
const ADMIN_PASSWORD_LENGTH = 12;

const SECRET_KEY_BYTES = 32;
/** A backup can be attacked for years without anybody noticing. */
const BACKUP_PASSPHRASE_LENGTH = 16;

function readAdmin(read: EnvironmentReader): Config['admin'] {
  const both = read.pair('PLIMSOLL_ADMIN_EMAIL', 'PLIMSOLL_ADMIN_PASSWORD');
  if (both === null) return null;
  const [email, password] = both;
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) read.refuse('PLIMSOLL_ADMIN_EMAIL is not an e-mail address: write name@host');
  if (password.length < ADMIN_PASSWORD_LENGTH)
    read.refuse(`PLIMSOLL_ADMIN_PASSWORD is too short: use at least ${String(ADMIN_PASSWORD_LENGTH)} characters`);
  return { email, password };
}

function readOidc(read: EnvironmentReader): Config['oidc'] {
  const issuer = read.url('OIDC_ISSUER', ['https:', 'http:']);
  const client = read.client('OIDC');
  if (issuer !== null && client !== null) return { issuer, ...client };
  if (issuer !== null)
    read.refuse('OIDC_ISSUER is set but OIDC_CLIENT_ID and OIDC_CLIENT_SECRET are not: set all three');
  if (client !== null) read.refuse('OIDC_CLIENT_ID is set but OIDC_ISSUER is not: set all three');
  return null;
}

/** Several hosts stand in one URL, each with its port, as libpq reads it. */
function readDatabaseUrl(read: EnvironmentReader, name: string, value: string | null): string | null {
  if (value === null) return null;
  const urls = splitHosts(value);
  return urls.every((url) => read.url(name, ['postgresql:', 'postgres:'], url) !== null) ? value : null;
}

function readListenUrl(read: EnvironmentReader, databaseUrl: string | null): string | null {
  const url = readDatabaseUrl(read, 'PLIMSOLL_LISTEN_URL', read.secret('PLIMSOLL_LISTEN_URL'));
  if (url !== null && databaseUrl === null)
    read.refuse('PLIMSOLL_LISTEN_URL is set without DATABASE_URL: set both, or remove it');
  return url;
}

/** A file that cannot be read fails the start with its name, not the first connection without it. */
function readDatabaseCa(read: EnvironmentReader, databaseUrl: string | null): string | null {
  const file = read.text('DATABASE_CA_FILE');
  if (file === null) return null;
  if (databaseUrl === null) read.refuse('DATABASE_CA_FILE is set without DATABASE_URL: set both, or remove it');
  else if (!read.isReadable(file)) read.refuse(`DATABASE_CA_FILE: cannot read ${file}: check path and permissions`);
  return file;
}

/** In a header of HTTP (RFC 9110). */
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
const SERIES_URLS = ['WRITE', 'READ', 'DELETE'].map((kind) => `PLIMSOLL_SERIES_${kind}_URL`);

function readSeriesUrl(read: EnvironmentReader, name: string): string | null {
  const url = read.url(name, ['https:', 'http:']);
  const parsed = url === null ? null : URL.parse(url);
  if (parsed && parsed.username + parsed.password !== '')
    read.refuse(`${name} holds credentials: set PLIMSOLL_SERIES_TOKEN instead`);
  return url;
}

function readSeriesStore(read: EnvironmentReader): Config['seriesStore'] {
  const [writeUrl, readUrl, deleteUrl] = SERIES_URLS.map((name) => readSeriesUrl(read, name));
  const tenantHeader = read.text('PLIMSOLL_SERIES_TENANT_HEADER');
  const token = read.secret('PLIMSOLL_SERIES_TOKEN');
  if (tenantHeader !== null && !HEADER_NAME.test(tenantHeader))
    read.refuse('PLIMSOLL_SERIES_TENANT_HEADER is not the name of a header: write one such as X-Scope-OrgID');
  if (!writeUrl || !readUrl) {
    if ([writeUrl, readUrl, deleteUrl, tenantHeader, token].some(Boolean))
      read.refuse('PLIMSOLL_SERIES_WRITE_URL and PLIMSOLL_SERIES_READ_URL are not both set: set both or neither');
    return null;
  }
  const urls = [writeUrl, readUrl, ...(deleteUrl ? [deleteUrl] : [])];
  if (new Set(urls.map((url) => url.includes('{tenant}'))).size > 1)
    read.refuse('PLIMSOLL_SERIES_…_URL: {tenant} is not in all of them: write it in all or in none');
  return { writeUrl, readUrl, deleteUrl: deleteUrl ?? null, tenantHeader, token };
}

function readClusterToken(read: EnvironmentReader): string | null {
  const token = read.secret('PLIMSOLL_CLUSTER_TOKEN');
  if (token !== null && !/^plm_cluster_[A-Za-z0-9_-]{43}$/.test(token))
    read.refuse('PLIMSOLL_CLUSTER_TOKEN is not a cluster token: write plm_cluster_ and 43 letters or digits');
  return token;
}

function readMessageProxy(read: EnvironmentReader): Config['messageProxy'] {
  const name = 'PLIMSOLL_MESSAGE_PROXY_URL';
  const url = read.url(name, ['http:', 'https:'], read.secret(name));
  const resolver = read.choice('PLIMSOLL_MESSAGE_PROXY_RESOLVES', ['no', 'yes'], 'no');
  return url === null ? null : { url, resolvesNames: resolver === 'yes' };
}

function readRanges(read: EnvironmentReader, name: string): string[] {
  const ranges = read.list(name);
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address);
    const most = family === 6 ? 128 : 32;
    if (family === 0 || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
      read.refuse(`${name}: "${range}" is neither an address nor a CIDR range such as 10.0.0.0/8`);
  }
  return ranges;
}

function readSecretKey(read: EnvironmentReader): Buffer | null {
  const text = read.secret('PLIMSOLL_SECRET_KEY');
  if (text === null) return null;
  const key = Buffer.from(text, 'base64');
  if (key.length !== SECRET_KEY_BYTES)
    read.refuse('PLIMSOLL_SECRET_KEY is not 32 bytes in base64: make one with: openssl rand -base64 32');
  return key;
}

function readBackupPassphrase(read: EnvironmentReader): string | null {
  const text = read.secret('PLIMSOLL_BACKUP_PASSPHRASE');
  if (text !== null && text.length < BACKUP_PASSPHRASE_LENGTH)
    read.refuse(
      `PLIMSOLL_BACKUP_PASSPHRASE is too short: use at least ${String(BACKUP_PASSPHRASE_LENGTH)} characters, such as those of: openssl rand -base64 24`,
    );
  return text;
}

const BACKUP_TIME = '03:15';
const BACKUPS_KEPT = 14;

/** A folder that is missing fails the start with its name: its volume may not be mounted. */
function readBackupSchedule(read: EnvironmentReader): Config['backupSchedule'] {
  const folder = read.text('PLIMSOLL_BACKUP_DIR');
  const time = read.text('PLIMSOLL_BACKUP_TIME');
  const keep = read.text('PLIMSOLL_BACKUP_KEEP');
  if (folder === null) {
    if (time !== null || keep !== null)
      read.refuse(
        `${time === null ? 'PLIMSOLL_BACKUP_KEEP' : 'PLIMSOLL_BACKUP_TIME'} is set without PLIMSOLL_BACKUP_DIR: set both, or remove it`,
      );
    return null;
  }
  if (!read.isFolder(folder))
    read.refuse(`PLIMSOLL_BACKUP_DIR: ${folder} is no folder: create it, or mount its volume`);
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time ?? BACKUP_TIME) ?? [];
  if (hour === undefined)
    read.refuse(`PLIMSOLL_BACKUP_TIME is "${String(time)}": write a time of day in UTC, like 03:15`);
  if (keep !== null && !/^[1-9]\d{0,3}$/.test(keep))
    read.refuse(`PLIMSOLL_BACKUP_KEEP is "${keep}": use a whole number from 1 to 9999`);
  return {
    folder,
    minuteOfDay: Number(hour) * 60 + Number(minute),
    keep: keep === null ? BACKUPS_KEPT : Number(keep),
  };
}

/** Addresses of the providers themselves, for who sets a key and a model only. */
const AI_BASE_URLS: Record<AiProviderName, string> = {
  'openai-compatible': 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
};

function readAi(read: EnvironmentReader): Config['ai'] {
  const provider = read.choice('AI_PROVIDER', AI_PROVIDERS, 'openai-compatible');
  const baseUrl = read.url('AI_BASE_URL', ['https:', 'http:']);
  const apiKey = read.secret('AI_API_KEY');
  const model = read.text('AI_MODEL');
  if (model === null) {
    if (baseUrl !== null || apiKey !== null)
      read.refuse('AI_MODEL is not set: write the name of the model, or remove AI_BASE_URL and AI_API_KEY');
    return null;
  }
  if (baseUrl === null && apiKey === null)
    read.refuse('AI_MODEL is set alone: set AI_API_KEY, or AI_BASE_URL of a server that needs no key');
  return { provider, baseUrl: (baseUrl ?? AI_BASE_URLS[provider]).replace(/\/+$/, ''), apiKey, model };
}

const GROUPS_CLAIM = 'groups';

function readOidcGroups(read: EnvironmentReader): Config['oidcGroups'] {
  const claim = read.text('OIDC_GROUPS_CLAIM');
  const roles = {
    admin: read.list('OIDC_ADMIN_GROUPS'),
    editor: read.list('OIDC_EDITOR_GROUPS'),
    viewer: read.list('OIDC_VIEWER_GROUPS'),
  };
  const isSet = Object.values(roles).some((groups) => groups.length > 0);
  if (!isSet && claim !== null)
    read.refuse(
      'OIDC_GROUPS_CLAIM is set without groups: set OIDC_ADMIN_GROUPS, OIDC_EDITOR_GROUPS or OIDC_VIEWER_GROUPS',
    );
  if (isSet && read.text('OIDC_ISSUER') === null)
    read.refuse('groups of an OpenID Connect issuer are set without OIDC_ISSUER: set it, or remove the groups');
  return isSet ? { claim: claim ?? GROUPS_CLAIM, ...roles } : null;
}

function readImages(read: EnvironmentReader): Config['images'] {
  const registry = read.text('PLIMSOLL_IMAGE_REGISTRY')?.replace(/\/+$/, '') ?? null;
  if (registry !== null && !IMAGE_REGISTRY.test(registry))
    read.refuse(
      `PLIMSOLL_IMAGE_REGISTRY is "${registry}": write it in lower case and without https://, like registry.example.com/team`,
    );
  return { registry, tag: read.text('PLIMSOLL_IMAGE_TAG') };
}

const inRepository = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * Reads every setting of the API. Throws `ConfigError` naming each variable at fault and the remedy.
 * `terminal`: whether logs go to a person (format `auto` is then readable text).
 */
export function loadConfig(environment: Environment = process.env, terminal: boolean = process.stderr.isTTY): Config {
  const read = new EnvironmentReader(environment);
  const format = read.choice('PLIMSOLL_LOG_FORMAT', LOG_FORMATS, 'auto');
  const plan = read.choice('PLIMSOLL_PLAN_LIMITS', ['off', 'free', 'pro', 'business'], 'off');
  const telegram = read.pair('TELEGRAM_CHAT_ID', 'TELEGRAM_BOT_TOKEN');
  const databaseUrl = read.secret('DATABASE_URL');
  const config: Config = {
    host: read.text('PLIMSOLL_HOST') ?? '127.0.0.1',
    port: read.port('PLIMSOLL_PORT', 8420),
    metricsPort: read.port('PLIMSOLL_METRICS_PORT', null),
    dataDir: read.text('PLIMSOLL_DATA_DIR') ?? inRepository('.plimsoll'),
    databaseUrl: readDatabaseUrl(read, 'DATABASE_URL', databaseUrl),
    listenUrl: readListenUrl(read, databaseUrl),
    databaseCaFile: readDatabaseCa(read, databaseUrl),
    databaseUser: read.text('PLIMSOLL_DATABASE_USER'),
    runtimeDir: read.text('XDG_RUNTIME_DIR'),
    publicUrl: read.url('PLIMSOLL_PUBLIC_URL', ['https:', 'http:'])?.replace(/\/+$/, '') ?? null,
    admin: readAdmin(read),
    github: read.client('GITHUB'),
    githubUrl: read.url('GITHUB_URL', ['https:', 'http:']) ?? 'https://github.com',
    google: read.client('GOOGLE'),
    googleIssuer: read.url('GOOGLE_ISSUER', ['https:', 'http:']) ?? 'https://accounts.google.com',
    oidc: readOidc(read),
    oidcGroups: readOidcGroups(read),
    signUp: {
      emails: read.list('PLIMSOLL_SIGN_UP_EMAILS').map((e) => e.toLowerCase()),
      domains: read.list('PLIMSOLL_SIGN_UP_DOMAINS').map((d) => d.toLowerCase()),
      githubOrganisations: read.list('PLIMSOLL_SIGN_UP_GITHUB_ORGANISATIONS').map((o) => o.toLowerCase()),
    },
    ai: readAi(read),
    telegram: telegram && { chatId: telegram[0], botToken: telegram[1] },
    telegramApiUrl: read.url('TELEGRAM_API_URL', ['https:', 'http:']) ?? 'https://api.telegram.org',
    heartbeatUrl: read.url('PLIMSOLL_HEARTBEAT_URL', ['https:', 'http:'], read.secret('PLIMSOLL_HEARTBEAT_URL')),
    messageProxy: readMessageProxy(read),
    allowedPrivateRanges: readRanges(read, 'PLIMSOLL_ALLOWED_PRIVATE_RANGES'),
    trustedProxies: readRanges(read, 'PLIMSOLL_TRUSTED_PROXIES'),
    log: {
      level: read.choice('PLIMSOLL_LOG_LEVEL', LOG_LEVELS, 'info'),
      format: format === 'auto' ? (terminal ? 'pretty' : 'json') : format,
    },
    localEnrolmentFile: read.text('PLIMSOLL_LOCAL_ENROLMENT_FILE'),
    webDir: read.text('PLIMSOLL_WEB_DIR') ?? inRepository('web/dist'),
    agentDir: read.text('PLIMSOLL_AGENT_DIR') ?? inRepository('dist/agent'),
    installScript: inRepository('scripts/install.sh'),
    chartFile: read.text('PLIMSOLL_CHART_FILE') ?? inRepository('dist/charts/plimsoll.tgz'),
    images: readImages(read),
    reportIntervalSeconds: read.seconds('PLIMSOLL_REPORT_INTERVAL_SECONDS', REPORT_INTERVAL_SECONDS),
    clusterToken: readClusterToken(read),
    seriesStore: readSeriesStore(read),
    planLimits: plan === 'off' ? null : plan,
    isDemo: read.choice('PLIMSOLL_DEMO', ['off', 'on'], 'off') === 'on',
    secretKey: readSecretKey(read),
    backupPassphrase: readBackupPassphrase(read),
    backupSchedule: readBackupSchedule(read),
  };
  if (read.problems.length > 0) throw new ConfigError(read.problems);
  return config;
}

/**
 * Reads the settings for a command that works also where they are wrong: then `config` holds the folders alone, and
 * `atFault` the names of the settings.
 */
export function loadConfigOrFolders(environment: Environment = process.env): {
  config: Config;
  environment: Environment;
  atFault: string[];
} {
  try {
    return { config: loadConfig(environment), environment, atFault: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { PLIMSOLL_DATA_DIR, XDG_RUNTIME_DIR } = environment;
    // A problem starts with its setting, and may quote the value.
    const atFault = error.problems.map((problem) => /^[A-Z][A-Z0-9_]+/.exec(problem)?.[0] ?? 'a setting');
    return { config: loadConfig({ PLIMSOLL_DATA_DIR, XDG_RUNTIME_DIR }), environment, atFault };
  }
}
