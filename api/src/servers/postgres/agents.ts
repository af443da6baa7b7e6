// SQL enrols (one upsert on a partial index, in one transaction) and authenticates agents (one statement per request).
import { hash } from 'node:crypto';
import type { Agents } from '../store.ts';
import type { ExternalMachine } from '../types.ts';
import { bytesOf } from '../../database/bytes.ts';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The owner as of now, held until the end: the first account may be taking the token over at this moment. */
const LOCK_OWNER = 'SELECT account_id AS "accountId" FROM enrolment_token WHERE id = $1 FOR SHARE';
/** The known server of this machine and owner, or a new one; hostname and tags follow what the machine says today. */
const UPSERT_SERVER = `INSERT INTO server (account_id, enrolment_token_id, machine_hash, hostname, tags, created_at, report_interval_seconds)
  VALUES ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), $7)
  ON CONFLICT (COALESCE(account_id, '${NOBODY}'::uuid), machine_hash) WHERE NOT is_clone
  DO UPDATE SET hostname = excluded.hostname, tags = server.tags || excluded.tags,
    enrolment_token_id = excluded.enrolment_token_id, uninstalled_at = NULL,
    report_interval_seconds = excluded.report_interval_seconds
  RETURNING id, key`;
const INSERT_CLONE = `INSERT INTO server (account_id, enrolment_token_id, machine_hash, hostname, tags, created_at, report_interval_seconds, is_clone)
  VALUES ($1, $2, $3, $4, $5, to_timestamp($6 / 1000.0), $7, true)
  RETURNING id, key`;

/** The first use of a successor removes the token it follows. */
export const FIND_AGENT = `SELECT s.id AS "serverId", s.key AS "serverKey", s.account_id AS "accountId", t.replaces_hash AS "replacesHash"
  FROM agent_token t JOIN server s ON s.key = t.server_key WHERE t.token_hash = $1`;
const RETIRE = `WITH retired AS (DELETE FROM agent_token WHERE token_hash = $2)
  UPDATE agent_token SET replaces_hash = NULL WHERE token_hash = $1`;
/** At most one successor waits: a second offer replaces one that never arrived. */
const OFFER = `WITH given_up AS (DELETE FROM agent_token WHERE server_key = $1 AND replaces_hash = $2)
  INSERT INTO agent_token (server_key, replaces_hash, token_hash, created_at)
  VALUES ($1, $2, $3, to_timestamp($4 / 1000.0))`;

/** The hostname follows what the machine says today. */
export const FIND_EXTERNAL = `WITH found AS (
    SELECT s.id, s.key FROM server s JOIN agent_token t ON t.server_key = s.key
    WHERE s.account_id = $1 AND s.machine_hash = $2 AND NOT s.is_clone AND t.token_hash = $3
  ), renamed AS (
    UPDATE server SET hostname = $4 FROM found WHERE server.key = found.key AND server.hostname <> $4
  )
  SELECT found.id AS "serverId", found.key AS "serverKey", COALESCE((SELECT upper(settled) - 1 FROM report_stream
    WHERE server_key = found.key AND stream_id = $5), 0)::double precision AS "lastSeq" FROM found`;
const ADD_EXTERNAL = `WITH added AS (
    INSERT INTO server (account_id, machine_hash, hostname, created_at, report_interval_seconds)
    VALUES ($1, $2, $4, to_timestamp($5 / 1000.0), $6)
    ON CONFLICT (COALESCE(account_id, '${NOBODY}'::uuid), machine_hash) WHERE NOT is_clone DO NOTHING
    RETURNING key
  )
  INSERT INTO agent_token (token_hash, server_key, created_at) SELECT $3, key, to_timestamp($5 / 1000.0) FROM added`;

/**
 * The accepting statement checks a token. That of an external server follows from what it is, so that every replica
 * has the same; no token hashes to it, because each has a prefix that this text lacks. It marks a deleted server, too.
 */
const externalTokenHash = ({ accountId, machineHash }: ExternalMachine): Buffer =>
  hash('sha256', `external server ${accountId} ${machineHash.toString('hex')}`, 'buffer');

export interface FoundExternal {
  serverId: string;
  serverKey: number;
  lastSeq: number;
}

export interface FoundToken {
  serverId: string;
  serverKey: number;
  accountId: string | null;
  replacesHash: Buffer | null;
}

export const createAgentStore = ({ pool, prisma }: Database): Agents => ({
  enrol: (
    { enrolmentTokenId, accountId, machineHash, hostname, tokenHash, cloned, tags, reportIntervalSeconds },
    now,
  ) =>
    inTransaction(pool, async (client) => {
      const { rows: tokens } = await client.query<{ accountId: string | null }>(LOCK_OWNER, [enrolmentTokenId]);
      const owner = tokens[0] ? tokens[0].accountId : accountId;
      const values = [owner, enrolmentTokenId, machineHash, hostname, JSON.stringify(tags), now, reportIntervalSeconds];
      const { rows } = await client.query<{ id: string; key: number }>(cloned ? INSERT_CLONE : UPSERT_SERVER, values);
      const server = rows[0];
      if (!server) throw new Error('enrolling stored no server');
      await client.query('DELETE FROM agent_token WHERE server_key = $1', [server.key]);
      await client.query(
        'INSERT INTO agent_token (token_hash, server_key, created_at) VALUES ($1, $2, to_timestamp($3 / 1000.0))',
        [tokenHash, server.key, now],
      );
      return { serverId: server.id };
    }),
  countOthers: async (accountId, machineHash) =>
    accountId === null
      ? 0
      : prisma.server.count({
          where: {
            accountId,
            uninstalledAt: null,
            OR: [{ machineHash: { not: bytesOf(machineHash) } }, { isClone: true }],
          },
        }),
  findByToken: async (tokenHash) => {
    const { rows } = await pool.query<FoundToken>({ name: 'agent_by_token', text: FIND_AGENT, values: [tokenHash] });
    const found = rows[0];
    if (!found) {
      const deleted = await prisma.deletedAgentToken.findUnique({ where: { tokenHash: bytesOf(tokenHash) } });
      return { state: deleted === null ? 'unknown' : 'server_deleted' };
    }
    const { replacesHash, ...server } = found;
    if (replacesHash) await pool.query(RETIRE, [tokenHash, replacesHash]);
    return { state: 'known', agent: { ...server, tokenHash } };
  },
  offerToken: async (agent, newTokenHash, now) => {
    await pool.query(OFFER, [agent.serverKey, agent.tokenHash, newTokenHash, now]);
  },
  setReportInterval: async (seconds) => {
    await prisma.server.updateMany({
      where: { reportIntervalSeconds: { not: seconds } },
      data: { reportIntervalSeconds: seconds },
    });
  },
  findExternal: async (machine) => {
    const { accountId, machineHash, hostname, streamId } = machine;
    const tokenHash = externalTokenHash(machine);
    const values = [accountId, machineHash, tokenHash, hostname, streamId];
    const { rows } = await pool.query<FoundExternal>({ name: 'external_server', text: FIND_EXTERNAL, values });
    if (rows[0]) return { state: 'known', server: { ...rows[0], tokenHash } };
    const deleted = await prisma.deletedAgentToken.findUnique({ where: { tokenHash: bytesOf(tokenHash) } });
    if (deleted !== null) return { state: 'server_deleted' };
    return { state: 'unknown', servers: await prisma.server.count({ where: { accountId, uninstalledAt: null } }) };
  },
  addExternal: async (machine, now) => {
    const { accountId, machineHash, hostname, reportIntervalSeconds } = machine;
    const identity = [accountId, machineHash, externalTokenHash(machine), hostname];
    await pool.query(ADD_EXTERNAL, [...identity, now, reportIntervalSeconds]);
  },
  signOff: async (agent, reason, now) => {
    const at = new Date(now);
    await prisma.agentSignOff.createMany({ data: [{ serverKey: agent.serverKey, at, reason }], skipDuplicates: true });
    if (reason === 'uninstall')
      await prisma.server.updateMany({ where: { key: agent.serverKey }, data: { uninstalledAt: at } });
  },
});
