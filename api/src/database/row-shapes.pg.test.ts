import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { describeEachPostgres } from '../testing/postgres.ts';
import { resultShape, type RowShape } from '../testing/row-shape.ts';
import { FIND_API_TOKEN, type FoundApiToken } from '../accounts/postgres/api-tokens.ts';
import { FIND_SESSION, type FoundSession } from '../accounts/postgres/sessions.ts';
import { DUE, type DueRow } from '../external-metrics/postgres.ts';
import { FIND_AGENT, FIND_EXTERNAL, type FoundExternal, type FoundToken } from '../servers/postgres/agents.ts';
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
  account_id: 'uuid',
  enrolment_token_id: 'uuid',
  hostname: 'text',
  display_name: 'text',
  tags: 'jsonb',
  report_interval_seconds: 'integer',
  is_kubernetes_node: 'boolean',
  created_at: 'timestamp with time zone',
  uninstalled_at: 'timestamp with time zone',
  last_seen_at: 'timestamp with time zone',
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
const SOURCES: RowShape<SourcesRow> = { id: 'uuid', sources: 'json' };
const SESSION: RowShape<FoundSession> = {
  id: 'uuid',
  account_id: 'uuid',
  created_at: 'timestamp with time zone',
  expires_at: 'timestamp with time zone',
  organisation_id: 'uuid',
  role: 'text',
};
const API_TOKEN: RowShape<FoundApiToken> = {
  id: 'uuid',
  account_id: 'uuid',
  scopes: 'text[]',
  last_used_at: 'timestamp with time zone',
  expires_at: 'timestamp with time zone',
  organisation_id: 'uuid',
  role: 'text',
};
const AGENT: RowShape<FoundToken> = {
  serverId: 'uuid',
  serverKey: 'integer',
  accountId: 'uuid',
  replacesHash: 'bytea',
};
const EXTERNAL: RowShape<FoundExternal> = { serverId: 'uuid', serverKey: 'integer', lastSeq: 'double precision' };
const DUE_READING: RowShape<DueRow> = {
  accountId: 'uuid',
  hash: 'text',
  agent: 'text',
  identity: 'text',
  name: 'text',
  id: 'text',
  intervalAt: 'double precision',
  isReported: 'boolean',
  values: 'json',
  growths: 'json',
};

describeEachPostgres('rows of statements', (db) => {
  it('have the columns and types their interfaces name', async () => {
    expect(await resultShape(db, SELECT_SERVERS, [randomUUID()])).toEqual(SERVER);
    const page = [randomUUID(), null, false, null, null, null, 1, 0];
    expect(await resultShape(db, SELECT_PAGE, page)).toEqual(SERVER);
    expect(await resultShape(db, SELECT_PARTS, [0])).toEqual(PARTS);
    expect(await resultShape(db, SELECT_LATEST_PARTS, [randomUUID()])).toEqual(LATEST_PARTS);
    expect(await resultShape(db, SELECT_SOURCES, [randomUUID(), []])).toEqual(SOURCES);
    expect(await resultShape(db, FIND_SESSION, [Buffer.alloc(32), new Date()])).toEqual(SESSION);
    expect(await resultShape(db, FIND_API_TOKEN, [Buffer.alloc(32), new Date()])).toEqual(API_TOKEN);
    expect(await resultShape(db, FIND_AGENT, [Buffer.alloc(32)])).toEqual(AGENT);
    const external = [randomUUID(), Buffer.alloc(32), Buffer.alloc(32), 'web-1', randomUUID()];
    expect(await resultShape(db, FIND_EXTERNAL, external)).toEqual(EXTERNAL);
    expect(await resultShape(db, DUE, [0, 0, 1])).toEqual(DUE_READING);
  });
});
