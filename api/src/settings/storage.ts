import { splitHosts } from '../database/connection.ts';
import type { EnvironmentReader } from './environment.ts';
import { code, inRepository, NONE, setting } from './setting.ts';

const SECRET_KEY_BYTES = 32;

const PLANS = ['off', 'free', 'pro', 'business'] as const;

/** Several hosts stand in one URL, each with its port, as libpq reads it. */
function readDatabaseUrl(environment: EnvironmentReader, name: string): string | null {
  const value = environment.secret(name);
  if (value === null) return null;
  const urls = splitHosts(value);
  return urls.every((url) => environment.url(name, ['postgresql:', 'postgres:'], url) !== null) ? value : null;
}

function readListenUrl(environment: EnvironmentReader, name: string): string | null {
  const url = readDatabaseUrl(environment, name);
  if (url !== null && !environment.isSet('DATABASE_URL'))
    environment.refuse(`${name} is set without DATABASE_URL: set both, or remove it`);
  return url;
}

/** A file that cannot be read fails the start with its name, not the first connection without it. */
function readDatabaseCa(environment: EnvironmentReader, name: string): string | null {
  const file = environment.text(name);
  if (file === null) return null;
  if (!environment.isSet('DATABASE_URL'))
    environment.refuse(`${name} is set without DATABASE_URL: set both, or remove it`);
  else if (!environment.isReadable(file))
    environment.refuse(`${name}: cannot read ${file}: check path and permissions`);
  return file;
}

function readSecretKey(environment: EnvironmentReader, name: string): Buffer | null {
  const text = environment.secret(name);
  if (text === null) return null;
  const key = Buffer.from(text, 'base64');
  if (key.length !== SECRET_KEY_BYTES)
    environment.refuse(`${name} is not 32 bytes in base64: make one with: openssl rand -base64 32`);
  return key;
}

export const storage = {
  /** Embedded database, generated keys. Absolute or relative to the working directory. */
  dataDir: setting(
    'PLIMSOLL_DATA_DIR',
    {
      fallback: '`.plimsoll` in the checkout',
      meaning: 'folder of the embedded database and of the keys that Plimsoll makes',
    },
    (environment, name) => environment.text(name) ?? inRepository('.plimsoll'),
  ),
  /** null: the embedded PostgreSQL. */
  databaseUrl: setting(
    'DATABASE_URL',
    {
      fallback: 'the embedded PostgreSQL 18',
      meaning:
        'any PostgreSQL 14 or newer instead, as `postgresql://user:password@host/database`; of several hosts (`host1:5432,host2:5432`) the API uses the one that can write',
      isSecret: true,
    },
    readDatabaseUrl,
  ),
  /** Leads to PostgreSQL itself where `databaseUrl` leads through a pooler in transaction mode; null: `databaseUrl` does. */
  listenUrl: setting(
    'PLIMSOLL_LISTEN_URL',
    {
      fallback: '`DATABASE_URL`',
      meaning:
        'address of PostgreSQL itself, with the same user and database, if `DATABASE_URL` leads through a pooler in transaction mode ([scaling.md](scaling.md))',
      isSecret: true,
    },
    readListenUrl,
  ),
  /** File of the authority that signed the certificate of that database, PEM; null: Node's own authorities. */
  databaseCaFile: setting(
    'DATABASE_CA_FILE',
    {
      fallback: "Node's authorities",
      meaning:
        'PEM file of the authority that signed the certificate of that PostgreSQL; its host name is checked, too',
    },
    readDatabaseCa,
  ),
  /** The system user that runs the embedded PostgreSQL when the API is root; null: one of its own. */
  databaseUser: setting(
    'PLIMSOLL_DATABASE_USER',
    {
      fallback: '`plimsoll-database`, created',
      meaning: 'as root: the system user that runs the embedded PostgreSQL',
    },
    (environment, name) => environment.text(name),
  ),
  /** Folder of this user for sockets; null: the machine gives none. */
  runtimeDir: setting(
    'XDG_RUNTIME_DIR',
    {
      fallback: NONE,
      meaning: 'folder for sockets of this user, set by the system; the embedded PostgreSQL has its socket there',
    },
    (environment, name) => environment.text(name),
  ),
  /** Encrypts secrets that must be read again (second factors, channel tokens); null: a key file in dataDir. */
  secretKey: setting(
    'PLIMSOLL_SECRET_KEY',
    {
      fallback: '`secret.key` in the data folder',
      meaning:
        'encrypts secrets that must be read again, such as tokens of channels: 32 bytes in base64. All replicas need the same',
      isSecret: true,
    },
    readSecretKey,
  ),
};

/** The plan whose limits on servers and history hold for every account; null: no limits. */
export const planLimits = setting(
  'PLIMSOLL_PLAN_LIMITS',
  {
    isShown: true,
    fallback: code('off'),
    meaning:
      '`free`, `pro` or `business`: limits on servers and history for every account; what is a week older than the plan shows is deleted, except alerts',
  },
  (environment, name) => {
    const plan = environment.choice(name, PLANS, 'off');
    return plan === 'off' ? null : plan;
  },
);
