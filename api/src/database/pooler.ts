// SQL reads and writes settings of the session and of the role, which Prisma cannot express.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Client } from 'pg';
import type { Connection } from './connection.ts';
import { openClient } from './open-client.ts';
import { SESSION_SETTINGS } from './session-settings.ts';

/** Connections of the settings cannot work together; the message names the setting, the reason and the remedy. */
class PoolerError extends Error {
  readonly code = 'pooler_refused';
}

/** A notification arrives within milliseconds. A busy machine gets time, because the result refuses the start. */
const NOTIFICATION_MS = 5000;
const SETTINGS_LOCK = 0x70_6f_6f_6c;

const REMEDY =
  'PLIMSOLL_LISTEN_URL must be the address of PostgreSQL itself, with the same database and user: postgresql://user:password@host/database';

/**
 * Throws `PoolerError` if sessions of `connection` do not last: a pooler in transaction mode gives each transaction
 * another session, and notifications and locks of a session get lost. With `direct` such a pooler is accepted, and its
 * role receives the settings that each session needs.
 */
export async function checkPooler(connection: Connection, direct: Connection | null): Promise<void> {
  const opened: Client[] = [];
  const open = async (to: Connection): Promise<Client> => {
    const client = await openClient(to, 'plimsoll-check');
    opened.push(client);
    return client;
  };
  try {
    const listener = await open(direct ?? connection);
    const isOwn = await isHeard(listener, await open(direct ?? connection));
    if (direct === null) {
      if (isOwn) return;
      throw new PoolerError(
        `DATABASE_URL leads through a connection pooler in transaction mode (such as PgBouncer): a session did not receive its notification. Set PLIMSOLL_LISTEN_URL as well. ${REMEDY}.`,
      );
    }
    // Before the first session of the pooler, which would keep the old settings.
    if (isOwn && (await settleRole(listener))) await requireSettings(await open(direct));
    const sender = await open(connection);
    await requireSamePlace(listener, sender);
    if (!isOwn || !(await isHeard(listener, sender)))
      throw new PoolerError(
        `PLIMSOLL_LISTEN_URL does not receive the notifications that are sent through DATABASE_URL. ${REMEDY}.`,
      );
    await requireSettings(sender);
  } finally {
    await Promise.all(opened.map((client) => client.end()));
  }
}

/** Sends a notification and returns true if the listener receives it. */
async function isHeard(listener: Client, sender: Client): Promise<boolean> {
  const channel = `plimsoll_check_${randomUUID().replaceAll('-', '')}`;
  const arrival = once(listener, 'notification', { signal: AbortSignal.timeout(NOTIFICATION_MS) }).then(
    () => true,
    () => false,
  );
  await listener.query(`LISTEN ${channel}`);
  await sender.query('BEGIN');
  await sender.query('SELECT pg_notify($1, $2)', [channel, '']);
  await sender.query('COMMIT');
  return arrival;
}

interface Place {
  user: string;
  database: string;
}
const PLACE = 'SELECT current_user::text AS user, current_database()::text AS database';
const placeOf = async (client: Client): Promise<Place | undefined> => (await client.query<Place>(PLACE)).rows[0];

async function requireSamePlace(listener: Client, sender: Client): Promise<void> {
  const [one, other] = [await placeOf(listener), await placeOf(sender)];
  if (one?.user === other?.user && one?.database === other?.database) return;
  throw new PoolerError(
    `PLIMSOLL_LISTEN_URL leads to the database ${one?.database ?? ''} as ${one?.user ?? ''}, and DATABASE_URL to ${other?.database ?? ''} as ${other?.user ?? ''}. ${REMEDY}.`,
  );
}

const SHOWN = Object.keys(SESSION_SETTINGS).map((name) => `current_setting('${name}') AS ${name}`);
/** Returns the settings of the session that differ from those it needs. */
async function differencesIn(client: Client): Promise<string[]> {
  const { rows } = await client.query<Record<string, string>>(`SELECT ${SHOWN.join(', ')}`);
  return Object.entries(SESSION_SETTINGS)
    .filter(([name, value]) => rows[0]?.[name] !== value)
    .map(([name]) => name);
}

/**
 * Stores the settings of a session with the role, for this database: what SET changes in a pooled session, another
 * client gets. Returns true if it changed any.
 */
async function settleRole(client: Client): Promise<boolean> {
  const differences = await differencesIn(client);
  if (differences.length === 0) return false;
  const place = await placeOf(client);
  const database = client.escapeIdentifier(place?.database ?? '');
  await client.query('BEGIN');
  // Two replicas that change the role at once would fail.
  await client.query('SELECT pg_advisory_xact_lock($1)', [SETTINGS_LOCK]);
  for (const name of differences)
    await client.query(
      `ALTER ROLE CURRENT_USER IN DATABASE ${database} SET ${name} = '${SESSION_SETTINGS[name] ?? ''}'`,
    );
  await client.query('COMMIT');
  return true;
}

async function requireSettings(client: Client): Promise<void> {
  const differences = await differencesIn(client);
  if (differences.length === 0) return;
  throw new PoolerError(
    `Sessions of the pooler in DATABASE_URL were opened before the settings of their role changed (${differences.join(', ')}). Reopen them: run RECONNECT in the console of PgBouncer, or restart the pooler. Then start again.`,
  );
}
