import type { Broadcast } from './store.ts';
import type { Change, ChangeFeed } from './change-feed.ts';
import type { EventStreams } from './event-streams.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** Streams send once a second at most; what a burst of reports changes becomes one message. */
const GATHER_MS = 250;
/** An event names 50 servers at most, and says "any" beyond. */
const MOST_SERVERS = 50;
/** An entry has at most 100 bytes; PostgreSQL limits a message to 8,000. */
const MOST_ENTRIES = 70;

/** Account, topic, server or null; or a session that is over. */
type Entry =
  | [organisationId: OrganisationId, topic: Change['topic'], serverId: string | null]
  | [endedSessionId: string];

/** Distinct changes since the last flush. */
class Gathered {
  readonly #servers = new Map<
    string,
    { organisationId: OrganisationId; topic: Change['topic']; ids: Set<string | null> }
  >();
  readonly #sessions = new Set<string>();

  change(organisationId: OrganisationId, { topic, serverId }: Change): void {
    const key = `${organisationId} ${topic}`;
    const known = this.#servers.get(key) ?? { organisationId, topic, ids: new Set() };
    const isAny = serverId === null || known.ids.has(null) || known.ids.size >= MOST_SERVERS;
    known.ids = isAny ? new Set([null]) : known.ids.add(serverId);
    this.#servers.set(key, known);
  }

  session(id: string): void {
    this.#sessions.add(id);
  }

  /** The messages to send; empties itself. */
  take(): Entry[][] {
    const changes = [...this.#servers.values()].flatMap(({ organisationId, topic, ids }) =>
      [...ids].map((id): Entry => [organisationId, topic, id]),
    );
    const entries = [...[...this.#sessions].map((id): Entry => [id]), ...changes];
    this.#servers.clear();
    this.#sessions.clear();
    return Array.from({ length: Math.ceil(entries.length / MOST_ENTRIES) }, (_, index) =>
      entries.slice(index * MOST_ENTRIES, (index + 1) * MOST_ENTRIES),
    );
  }
}

export interface ChangeBusDeps {
  changes: ChangeFeed;
  streams: EventStreams;
  broadcast: Broadcast;
  log: { warn(fields: object, message: string): void };
}

/**
 * Joins the event streams of all processes on one database: a change or an ended session in one process reaches every
 * other. Returns a function that disconnects.
 */
export async function connectChangeBus({
  changes,
  streams,
  broadcast,
  log,
}: ChangeBusDeps): Promise<() => Promise<void>> {
  const gathered = new Gathered();
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    timer = undefined;
    for (const entries of gathered.take())
      broadcast.send(JSON.stringify(entries)).catch((error: unknown) => {
        log.warn({ err: error }, 'sending a change to other processes failed; their browsers poll');
      });
  };
  const soon = (): void => {
    timer ??= setTimeout(flush, GATHER_MS);
  };
  changes.relayTo((organisationId, change) => {
    gathered.change(organisationId, change);
    soon();
  });
  streams.relayTo((sessionId) => {
    gathered.session(sessionId);
    soon();
  });
  const stop = await broadcast.listen({
    onMessage: (text) => {
      for (const entry of JSON.parse(text) as Entry[]) {
        if (entry.length === 1) streams.endHere(entry[0]);
        else changes.publishHere(entry[0], { topic: entry[1], serverId: entry[2] });
      }
    },
    // Messages were lost meanwhile, perhaps a sign-out: every stream restarts and authenticates again.
    onGap: () => streams.restartAll(),
  });
  return async () => {
    clearTimeout(timer);
    flush();
    await stop();
  };
}
