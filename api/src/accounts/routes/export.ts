import type { Deps } from '../../deps.ts';
import type { Owner } from '../../tenancy/owner.ts';
import { iso } from '../../http/units.ts';
import type { PersonId } from '../../tenancy/ids.ts';

const PAGE = 1000;

type Page<T> = (page: { limit: number; offset: number }) => Promise<T[]>;

/** Pages of a list, one after the other: at no time is more than one in memory. */
async function* pages<T>(list: Page<T>): AsyncGenerator<T> {
  for (let offset = 0; ; offset += PAGE) {
    const rows = await list({ limit: PAGE, offset });
    yield* rows;
    if (rows.length < PAGE) return;
  }
}

async function* array(name: string, rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,\n"${name}":[`;
  let first = true;
  for await (const row of rows) {
    yield `${first ? '' : ','}\n${JSON.stringify(row)}`;
    first = false;
  }
  yield ']';
}

async function* serversOf({ storage }: Deps, owner: Owner): AsyncGenerator {
  for (const { server } of await storage.servers.listAll(owner)) {
    const { key: _key, organisationId: _organisation, enrolmentTokenId: _token, ...shown } = server;
    yield shown;
  }
}

/** Newest first, each page from where the one before ended: samples that come meanwhile move none to another page. */
async function* samplesOf({ storage, clock }: Deps, owner: Owner): AsyncGenerator {
  for (const { server } of await storage.servers.listAll(owner)) {
    const known = await storage.servers.get(owner, server.id);
    if (known === null) continue;
    for (let to: number | undefined = clock.now() + 1; to !== undefined;) {
      const { samples } = await storage.history.listSamples(known, { from: 0, to }, { limit: PAGE, offset: 0 });
      for (const sample of samples) yield { serverId: server.id, ...sample };
      to = samples.length < PAGE ? undefined : samples.at(-1)?.sampleAt;
    }
  }
}

/** The account as one JSON document in pieces; base units and milliseconds, as stored. No hash and no secret in it. */
export async function* exportAccount(
  deps: Deps,
  { owner, personId }: { owner: Owner; personId: PersonId },
): AsyncGenerator<string> {
  const { storage, clock } = deps;
  const { identity, tenancy, alerts } = storage;
  const now = clock.now();
  const account = await storage.accounts.get(personId);
  yield `{"exported_at":${JSON.stringify(iso(now))},\n"account":${JSON.stringify(account)}`;
  yield `,\n"retention":${JSON.stringify(await identity.retention.get(owner))}`;
  yield `,\n"sessions":${JSON.stringify(await identity.sessionList.list(personId, now))}`;
  yield `,\n"api_tokens":${JSON.stringify(await identity.apiTokens.list(personId))}`;
  yield* array('servers', serversOf(deps, owner));
  yield* array(
    'alerts',
    pages(async (page) => (await alerts.list(owner, { to: now + 1 }, page, now)).alerts),
  );
  yield* array(
    'audit_log',
    pages(async (page) => (await tenancy.audit.list(owner, page)).entries),
  );
  yield* array(
    'events',
    pages(async (page) => (await storage.activity.list(owner, { to: now + 1 }, page)).events),
  );
  yield* array('samples', samplesOf(deps, owner));
  for (const list of identity.export.lists) yield* array(list, identity.export.rows({ owner, personId }, list));
  yield '}\n';
}
