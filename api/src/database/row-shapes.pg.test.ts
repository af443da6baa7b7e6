import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeEachPostgres } from '../testing/postgres.ts';
import { resultShape, type RowShape } from '../testing/row-shape.ts';
import { FIND_API_TOKEN, type FoundApiToken } from '../accounts/postgres/api-tokens.ts';
import { FIND_SESSION, type FoundSession } from '../accounts/postgres/sessions.ts';
import { type LatestContainersRow, SELECT_CONTAINERS } from '../containers/postgres.ts';
import { DUE, type DueRow } from '../external-metrics/postgres.ts';
import {
  FIND_AGENT,
  FIND_EXTERNAL,
  type FoundExternal,
  type FoundToken,
  KNOWN_MACHINES,
  type KnownMachineRow,
} from '../servers/postgres/agents.ts';
import { SAMPLE_COLUMNS } from '../series/stored-figures.ts';
import {
  type LatestPartsRow,
  type PartsRow,
  SELECT_LATEST_PARTS,
  SELECT_PAGE,
  SELECT_PARTS,
  SELECT_SERVERS,
  SELECT_SOURCES,
  type ServerRow,
  type SourcesRow,
} from '../servers/postgres/servers.ts';

const SERVER: RowShape<ServerRow> = {
  ...SAMPLE_COLUMNS,
  id: 'uuid',
  key: 'integer',
  organisation_id: 'uuid',
  enrolment_token_id: 'uuid',
  hostname: 'text',
  display_name: 'text',
  tags: 'jsonb',
  report_interval_seconds: 'integer',
  is_kubernetes_node: 'boolean',
  created_at: 'timestamp with time zone',
  uninstalled_at: 'timestamp with time zone',
  last_seen_at: 'timestamp with time zone',
  refusal: 'json',
  sample_at: 'timestamp with time zone',
  system: 'jsonb',
  memory_total_bytes: 'jsonb',
  storage_total_bytes: 'jsonb',
  disk_trends: 'json',
};
const PARTS: RowShape<PartsRow> = {
  per_core_percent: 'json',
  filesystems: 'json',
  disks: 'json',
  interfaces: 'json',
  inside: 'json',
  agent: 'json',
};
const LATEST_PARTS: RowShape<LatestPartsRow> = { key: 'integer', filesystems: 'json', interfaces: 'json' };
const CONTAINERS: RowShape<LatestContainersRow> = {
  serverKey: 'integer',
  sampleAt: 'double precision',
  containers: 'json',
};
const SOURCES: RowShape<SourcesRow> = { id: 'uuid', sources: 'json' };
const SESSION: RowShape<FoundSession> = {
  id: 'uuid',
  account_id: 'uuid',
  created_at: 'timestamp with time zone',
  expires_at: 'timestamp with time zone',
  organisation_id: 'uuid',
  role: 'text',
  person_name: 'text',
};
const API_TOKEN: RowShape<FoundApiToken> = {
  id: 'uuid',
  account_id: 'uuid',
  scopes: 'text[]',
  last_used_at: 'timestamp with time zone',
  expires_at: 'timestamp with time zone',
  organisation_id: 'uuid',
  role: 'text',
  person_name: 'text',
  name: 'text',
};
const AGENT: RowShape<FoundToken> = {
  serverId: 'uuid',
  serverKey: 'integer',
  organisationId: 'uuid',
  replacesHash: 'bytea',
};
const KNOWN_MACHINE: RowShape<KnownMachineRow> = {
  id: 'uuid',
  key: 'integer',
  isClone: 'boolean',
  name: 'text',
  hostname: 'text',
  reportedHostname: 'text',
  enrolledBoot: 'integer',
  reportedBoot: 'integer',
  enrolledAt: 'timestamp with time zone',
  uninstalledAt: 'timestamp with time zone',
  heardAt: 'timestamp with time zone',
  reportIntervalSeconds: 'integer',
};
const EXTERNAL: RowShape<FoundExternal> = { serverId: 'uuid', serverKey: 'integer', lastSeq: 'double precision' };
const DUE_READING: RowShape<DueRow> = {
  organisationId: 'uuid',
  hash: 'text',
  agent: 'text',
  identity: 'text',
  name: 'text',
  id: 'text',
  intervalAt: 'double precision',
  isReported: 'boolean',
  values: 'json',
  growths: 'json',
  apart: 'text',
  machines: 'json',
};

describeEachPostgres('rows of statements', (db) => {
  it('have the columns and types their interfaces name', async () => {
    expect(await resultShape(db, SELECT_SERVERS, [randomUUID()])).toEqual(SERVER);
    const page = [randomUUID(), null, false, null, null, null, 1, 0];
    expect(await resultShape(db, SELECT_PAGE, page)).toEqual(SERVER);
    expect(await resultShape(db, SELECT_PARTS, [0])).toEqual(PARTS);
    expect(await resultShape(db, SELECT_LATEST_PARTS, [randomUUID()])).toEqual(LATEST_PARTS);
    expect(await resultShape(db, SELECT_CONTAINERS, [randomUUID(), null])).toEqual(CONTAINERS);
    expect(await resultShape(db, SELECT_SOURCES, [randomUUID(), []])).toEqual(SOURCES);
    expect(await resultShape(db, FIND_SESSION, [Buffer.alloc(32), new Date()])).toEqual(SESSION);
    expect(await resultShape(db, FIND_API_TOKEN, [Buffer.alloc(32), new Date()])).toEqual(API_TOKEN);
    expect(await resultShape(db, FIND_AGENT, [Buffer.alloc(32)])).toEqual(AGENT);
    expect(await resultShape(db, KNOWN_MACHINES, [randomUUID(), Buffer.alloc(32)])).toEqual(KNOWN_MACHINE);
    const external = [randomUUID(), Buffer.alloc(32), Buffer.alloc(32), 'web-1', randomUUID()];
    expect(await resultShape(db, FIND_EXTERNAL, external)).toEqual(EXTERNAL);
    expect(await resultShape(db, DUE, [0, 0, 1, 1])).toEqual(DUE_READING);
  });
});
