// SQL enrols (under an advisory lock, with a lookup that Prisma cannot express) and authenticates agents (one statement per request).
import { hash } from 'node:crypto';
import type { PoolClient } from 'pg';
import { identify, type KnownMachine } from '../same-machine.ts';
import type { Agents } from '../store.ts';
import type { EnrolledServer, ExternalMachine } from '../types.ts';
import { bytesOf } from '../../database/bytes.ts';
import { inTransaction } from '../../database/database.ts';
import type { Database } from '../../database/database.ts';
import type { OrganisationId } from '../../tenancy/ids.ts';

const NOBODY = '00000000-0000-0000-0000-000000000000';

/** The owner as of now, held until the end: the first account may be taking the token over at this moment. */
const LOCK_OWNER = 'SELECT organisation_id AS "organisationId" FROM enrolment_token WHERE id = $1 FOR SHARE';
/** Two machines with one id must not both become its first server. The lock ends with the transaction. */
const LOCK_MACHINE = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
/** The last boot is that of the highest number of the stream that reported last. */
export const KNOWN_MACHINES = `SELECT s.id, s.key, s.is_clone AS "isClone", COALESCE(s.display_name, s.hostname) AS name, s.hostname,
    (SELECT value->>'hostname' FROM server_fact f WHERE f.server_key = s.key AND f.name = 'system') AS "reportedHostname",
    s.enrolled_boot AS "enrolledBoot",
    (SELECT l.boot FROM report_ledger l WHERE l.stream_key = r.key ORDER BY l.seq DESC LIMIT 1) AS "reportedBoot",
    COALESCE(s.enrolled_at, s.created_at) AS "enrolledAt", s.uninstalled_at AS "uninstalledAt",
    GREATEST(r.last_received_at, (SELECT last_at FROM report_refusal f WHERE f.server_key = s.key)) AS "heardAt",
    s.report_interval_seconds AS "reportIntervalSeconds"
  FROM server s LEFT JOIN LATERAL (SELECT key, last_received_at FROM report_stream r WHERE r.server_key = s.key
    ORDER BY last_received_at DESC LIMIT 1) r ON true
  WHERE s.machine_hash = $2 AND s.organisation_id IS NOT DISTINCT FROM $1::uuid ORDER BY s.key`;
/** Host name and tags follow the machine of today. */
const UPDATE_SERVER = `UPDATE server SET enrolment_token_id = $2, hostname = $3, tags = tags || $4::jsonb,
    enrolled_at = to_timestamp($5 / 1000.0), enrolled_boot = $6, report_interval_seconds = $7, uninstalled_at = NULL
  WHERE key = $1 RETURNING id, key`;
const INSERT_SERVER = `INSERT INTO server (organisation_id, machine_hash, is_clone, enrolment_token_id, hostname, tags, created_at,
    enrolled_at, enrolled_boot, report_interval_seconds)
  VALUES ($1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0), to_timestamp($7 / 1000.0), $8, $9) RETURNING id, key`;

/** The first use of a successor removes the token it follows. */
export const FIND_AGENT = `SELECT s.id AS "serverId", s.key AS "serverKey", s.organisation_id AS "organisationId", t.replaces_hash AS "replacesHash"
  FROM agent_token t JOIN server s ON s.key = t.server_key WHERE t.token_hash = $1`;
const RETIRE = `WITH retired AS (DELETE FROM agent_token WHERE token_hash = $2 RETURNING token_hash, server_key), kept AS (
    INSERT INTO revoked_agent_token (token_hash, server_key, revoked_at)
    SELECT token_hash, server_key, now() FROM retired ON CONFLICT DO NOTHING)
  UPDATE agent_token SET replaces_hash = NULL WHERE token_hash = $1`;
/** A collector that reports with a former token is shown on the page of its server. */
const REVOKE = `WITH revoked AS (DELETE FROM agent_token WHERE server_key = $1 RETURNING token_hash, server_key)
  INSERT INTO revoked_agent_token (token_hash, server_key, revoked_at)
  SELECT token_hash, server_key, to_timestamp($2 / 1000.0) FROM revoked ON CONFLICT DO NOTHING`;
const NOTE_FORMER = `UPDATE revoked_agent_token r SET refused_at = to_timestamp($2 / 1000.0) FROM server s
  WHERE r.token_hash = $1 AND s.key = r.server_key RETURNING s.id AS "serverId", s.organisation_id AS "organisationId"`;
/** Servers without a clone are not read: one scan of the clones finds the rest by the index on the hash. */
const SHARED_MACHINE_IDS = `SELECT s.key, array_agg(COALESCE(o.display_name, o.hostname) ORDER BY o.key) AS names
  FROM server s JOIN server o ON o.machine_hash = s.machine_hash AND o.key <> s.key AND o.uninstalled_at IS NULL
    AND o.organisation_id IS NOT DISTINCT FROM s.organisation_id
  WHERE s.enrolled_boot IS NOT NULL AND s.machine_hash IN (SELECT machine_hash FROM server WHERE is_clone) GROUP BY s.key`;
/** At most one successor waits: a second offer replaces one that never arrived. */
const OFFER = `WITH given_up AS (DELETE FROM agent_token WHERE server_key = $1 AND replaces_hash = $2)
  INSERT INTO agent_token (server_key, replaces_hash, token_hash, created_at)
  VALUES ($1, $2, $3, to_timestamp($4 / 1000.0))`;

/** The hostname follows what the machine says today. */
export const FIND_EXTERNAL = `WITH found AS (
    SELECT s.id, s.key FROM server s JOIN agent_token t ON t.server_key = s.key
    WHERE s.organisation_id = $1 AND s.machine_hash = $2 AND NOT s.is_clone AND t.token_hash = $3
  ), renamed AS (
    UPDATE server SET hostname = $4 FROM found WHERE server.key = found.key AND server.hostname <> $4
  )
  SELECT found.id AS "serverId", found.key AS "serverKey", COALESCE((SELECT upper(settled) - 1 FROM report_stream
    WHERE server_key = found.key AND stream_id = $5), 0)::double precision AS "lastSeq" FROM found`;
const ADD_EXTERNAL = `WITH added AS (
    INSERT INTO server (organisation_id, machine_hash, hostname, created_at, report_interval_seconds)
    VALUES ($1, $2, $4, to_timestamp($5 / 1000.0), $6)
    ON CONFLICT (COALESCE(organisation_id, '${NOBODY}'::uuid), machine_hash) WHERE NOT is_clone DO NOTHING
    RETURNING key
  )
  INSERT INTO agent_token (token_hash, server_key, created_at) SELECT $3, key, to_timestamp($5 / 1000.0) FROM added`;

/**
 * The accepting statement checks a token. That of an external server follows from what it is, so that every replica
 * has the same; no token hashes to it, because each has a prefix that this text lacks. It marks a deleted server, too.
 */
const externalTokenHash = ({ organisationId, machineHash }: ExternalMachine): Buffer =>
  hash('sha256', `external server ${organisationId} ${machineHash.toString('hex')}`, 'buffer');

export interface FoundExternal {
  serverId: string;
  serverKey: number;
  lastSeq: number;
}

export interface FoundToken {
  serverId: string;
  serverKey: number;
  organisationId: OrganisationId | null;
  replacesHash: Buffer | null;
}

export interface KnownMachineRow {
  id: string;
  key: number;
  isClone: boolean;
  name: string;
  hostname: string;
  reportedHostname: string | null;
  enrolledBoot: number | null;
  reportedBoot: number | null;
  enrolledAt: Date;
  uninstalledAt: Date | null;
  heardAt: Date | null;
  reportIntervalSeconds: number;
}

const known = <T>(values: readonly (T | null)[]): T[] => values.filter((value): value is T => value !== null);
const machineOf = (row: KnownMachineRow): KnownMachine => ({
  key: row.key,
  name: row.name,
  hostnames: known([row.hostname, row.reportedHostname]),
  boots: known([row.enrolledBoot, row.reportedBoot]),
  isClone: row.isClone,
  enrolledAt: row.enrolledAt.getTime(),
  heardAt: row.heardAt?.getTime() ?? null,
  uninstalledAt: row.uninstalledAt?.getTime() ?? null,
  reportIntervalSeconds: row.reportIntervalSeconds,
});

async function enrolServer(
  client: PoolClient,
  request: Parameters<Agents['enrol']>[0],
  now: number,
): Promise<EnrolledServer> {
  const { enrolmentTokenId, machineHash, hostname, tokenHash, cloned, reportIntervalSeconds } = request;
  const { rows: tokens } = await client.query<{ organisationId: OrganisationId | null }>(LOCK_OWNER, [
    enrolmentTokenId,
  ]);
  const owner = tokens[0] ? tokens[0].organisationId : request.organisationId;
  await client.query(LOCK_MACHINE, [`enrol ${owner ?? NOBODY} ${machineHash.toString('hex')}`]);
  const { rows } = await client.query<KnownMachineRow>(KNOWN_MACHINES, [owner, machineHash]);
  const machines = rows.map(machineOf);
  const boot = request.boot ?? null;
  const identity = identify(machines, { hostname, boot, cloned }, now);
  const tags = JSON.stringify(request.tags);
  const [statement, values] =
    identity.kind === 'same'
      ? [UPDATE_SERVER, [identity.key, enrolmentTokenId, hostname, tags, now, boot, reportIntervalSeconds]]
      : [
          INSERT_SERVER,
          [
            owner,
            machineHash,
            identity.kind === 'clone',
            enrolmentTokenId,
            hostname,
            tags,
            now,
            boot,
            reportIntervalSeconds,
          ],
        ];
  const { rows: stored } = await client.query<{ id: string; key: number }>(statement, values);
  const server = stored[0];
  if (!server) throw new Error('enrolling stored no server');
  await client.query(REVOKE, [server.key, now]);
  await client.query(
    'INSERT INTO agent_token (token_hash, server_key, created_at) VALUES ($1, $2, to_timestamp($3 / 1000.0))',
    [tokenHash, server.key, now],
  );
  const others = machines.filter((one) => one.key !== server.key && one.uninstalledAt === null);
  return {
    serverId: server.id,
    organisationId: owner,
    kind: identity.kind,
    sharesWith: others.map(({ name }) => name),
  };
}

export const createAgentStore = ({ pool, prisma }: Database): Agents => ({
  enrol: (request, now) => inTransaction(pool, (client) => enrolServer(client, request, now)),
  countOthers: (organisationId, serverId) =>
    prisma.server.count({ where: { organisationId, uninstalledAt: null, id: { not: serverId } } }),
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
  noteFormerToken: async (tokenHash, now) => {
    const { rows } = await pool.query<{ serverId: string; organisationId: OrganisationId | null }>(NOTE_FORMER, [
      tokenHash,
      now,
    ]);
    return rows[0] ?? null;
  },
  sharedMachineIds: async () => {
    const { rows } = await pool.query<{ key: number; names: string[] }>(SHARED_MACHINE_IDS);
    return new Map(rows.map(({ key, names }) => [key, names]));
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
    const { organisationId, machineHash, hostname, streamId } = machine;
    const tokenHash = externalTokenHash(machine);
    const values = [organisationId, machineHash, tokenHash, hostname, streamId];
    const { rows } = await pool.query<FoundExternal>({ name: 'external_server', text: FIND_EXTERNAL, values });
    if (rows[0]) return { state: 'known', server: { ...rows[0], tokenHash } };
    const deleted = await prisma.deletedAgentToken.findUnique({ where: { tokenHash: bytesOf(tokenHash) } });
    if (deleted !== null) return { state: 'server_deleted' };
    return { state: 'unknown', servers: await prisma.server.count({ where: { organisationId, uninstalledAt: null } }) };
  },
  addExternal: async (machine, now) => {
    const { organisationId, machineHash, hostname, reportIntervalSeconds } = machine;
    const identity = [organisationId, machineHash, externalTokenHash(machine), hostname];
    await pool.query(ADD_EXTERNAL, [...identity, now, reportIntervalSeconds]);
  },
  signOff: async (agent, reason, now) => {
    const at = new Date(now);
    await prisma.agentSignOff.createMany({ data: [{ serverKey: agent.serverKey, at, reason }], skipDuplicates: true });
    if (reason === 'uninstall')
      await prisma.server.updateMany({ where: { key: agent.serverKey }, data: { uninstalledAt: at } });
  },
});
