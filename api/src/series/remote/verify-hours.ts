import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import { RETENTION_DAYS } from '@plimsoll/contract/rules/limits';
import type { Counts, OutboxWork, SeriesStore } from '../store.ts';
import {
  chunksOf,
  MOST_SAMPLES,
  sendSamples,
  SETTLED_MS,
  VISIBLE_MS,
  hourOf,
  type SeriesDeps,
} from './ship-samples.ts';
import { SHIPPED_FIGURES, type ShippedSample } from './shipped-figures.ts';
import type { ShippingState } from './types.ts';

const RAW_MS = RETENTION_DAYS.raw * 24 * HOUR_MS;
/** After the end of an hour: its reports are in, sent and visible. */
const GRACE_MS = 600_000;
const MOST_WAIT_MS = 6 * HOUR_MS;
/** Hours that differed and are due, in one run. */
const MOST_DUE = 100;
/** An hour of these is about one request. */
const SERVERS_AT_ONCE = Math.floor(MOST_SAMPLES / 60);

/** The samples with the figures that the store lacks; a sample that it has whole is left out. */
function lacking(samples: readonly ShippedSample[], stored: ReadonlyMap<string, ReadonlySet<number>>): ShippedSample[] {
  return samples
    .map((sample) => ({
      ...sample,
      values: sample.values.map((value, index) =>
        stored.get(SHIPPED_FIGURES[index]?.name ?? '')?.has(sample.at) === true ? null : value,
      ),
    }))
    .filter(({ values }) => values.some((value) => value !== null));
}

interface Repair {
  samples: number;
  /** Text of the store; null: it took all of them. */
  refusal: string | null;
}

/** Sends what the store lacks of these servers. Prometheus refuses a late sample that it has, so only that is sent. */
async function repair(
  work: OutboxWork,
  store: SeriesStore,
  { tenant, at, differing }: { tenant: number; at: number; differing: readonly string[] },
  stored: Counts,
): Promise<Repair> {
  const done: Repair = { samples: 0, refusal: null };
  for (const ids of chunksOf(differing, SERVERS_AT_ONCE)) {
    const samples: ShippedSample[] = [];
    const byServer = Map.groupBy(await work.samplesOf(ids, at), ({ serverId }) => serverId);
    for (const [id, all] of byServer)
      samples.push(...(stored.has(id) ? lacking(all, await store.times(tenant, id, at)) : all));
    const refusals = await sendSamples(store, tenant, samples);
    done.samples += samples.length;
    done.refusal ??= refusals[0]?.detail ?? null;
  }
  return done;
}

/** Doubles with each attempt. */
const waitAfter = (attempts: number): number => Math.min(VISIBLE_MS * 2 ** Math.min(attempts, 10), MOST_WAIT_MS);

/**
 * An hour of one tenant: compares the counts of its servers, and sends what is missing. `all`: the counts, if they are
 * known. Returns the samples sent.
 */
async function verifyTenant(
  work: OutboxWork,
  store: SeriesStore,
  { tenant, at, attempts, now }: { tenant: number; at: number; attempts: number; now: number },
  expected: Counts,
  all?: Counts,
): Promise<number> {
  const stored = all ?? (await store.counts(tenant, at));
  const differing = [...expected].filter(([id, count]) => stored.get(id) !== count).map(([id]) => id);
  const { samples, refusal } = await repair(work, store, { tenant, at, differing }, stored);
  if (samples === 0) await work.forgetHour(tenant, at);
  else
    await work.saveHour({
      tenant,
      at,
      reason: refusal === null ? 'missing' : 'refused',
      detail: refusal,
      retryAt: now + waitAfter(attempts),
      isAttempt: true,
    });
  return samples;
}

/** Compares an hour of every tenant. Returns the samples that were missing. */
async function verifyHour(work: OutboxWork, store: SeriesStore, at: number, now: number): Promise<number> {
  const expected = await work.counts(at);
  const all = store.isShared && expected.size > 0 ? await store.counts(0, at) : undefined;
  let missing = 0;
  for (const [tenant, counts] of expected)
    missing += await verifyTenant(work, store, { tenant, at, attempts: 0, now }, counts, all);
  if (at >= now - RAW_MS) return missing;
  for (const tenant of await work.tenantsOf(at)) if (!expected.has(tenant)) await loseHour(work, tenant, at, now);
  return missing;
}

const loseHour = (work: OutboxWork, tenant: number, at: number, now: number): Promise<void> =>
  work.saveHour({ tenant, at, reason: 'lost', detail: null, retryAt: now, isAttempt: false });

/** Compares the next hour that is over and sent. Returns null if there is none. */
async function verifyNext(work: OutboxWork, store: SeriesStore, state: ShippingState, now: number) {
  const end = state.verifiedTo + HOUR_MS;
  if (now < end + GRACE_MS || state.shippedTo < end + SETTLED_MS) return null;
  const missing = await verifyHour(work, store, state.verifiedTo, now);
  await work.saveVerified(end);
  return missing;
}

/** Compares the hours that differed before and are due. Returns the samples that were still missing. */
async function verifyDue(work: OutboxWork, store: SeriesStore, now: number): Promise<number> {
  let missing = 0;
  for (const { tenant, at, attempts } of await work.dueHours(now, MOST_DUE)) {
    const expected = (await work.counts(at)).get(tenant);
    if (expected !== undefined) missing += await verifyTenant(work, store, { tenant, at, attempts, now }, expected);
    else if (at < now - RAW_MS) await loseHour(work, tenant, at, now);
    else await work.forgetHour(tenant, at);
  }
  return missing;
}

/** Compares hours with the store for at most `mostMs`. Returns null while another replica does it. */
export async function verifyHours(
  { outbox, store, clock }: SeriesDeps,
  mostMs: number,
): Promise<{ hours: number; missing: number } | null> {
  const begun = clock.now();
  let [hours, missing] = [0, 0];
  while (clock.now() < begun + mostMs) {
    const step = await outbox.exclusively('verify', async (work) => {
      const found = await verifyNext(work, store, await work.state(begun), begun);
      return { found };
    });
    if (step === null) return null;
    if (step.found === null) break;
    hours += 1;
    missing += step.found;
  }
  const due = await outbox.exclusively('verify', (work) => verifyDue(work, store, begun));
  return { hours, missing: missing + (due ?? 0) };
}

/** Compares the next verified hour again, from the oldest on, in turns. `isLast`: the turn is over. */
async function recheckNext(work: OutboxWork, store: SeriesStore, state: ShippingState, now: number) {
  const oldest = hourOf(now - RAW_MS) + HOUR_MS;
  const isWithin = state.recheckedTo >= oldest && state.recheckedTo < state.verifiedTo;
  const at = isWithin ? state.recheckedTo : Math.max(oldest, state.since);
  if (at >= state.verifiedTo) return { missing: 0, isLast: true };
  const missing = await verifyHour(work, store, at, now);
  await work.saveRechecked(at + HOUR_MS);
  return { missing, isLast: at + HOUR_MS >= state.verifiedTo };
}

/**
 * Compares one verified hour again, and goes on while samples are missing, for at most `mostMs`: a store can lose what it
 * had. Returns null while another replica does it.
 */
export async function recheckHours(
  { outbox, store, clock }: SeriesDeps,
  mostMs: number,
): Promise<{ missing: number } | null> {
  const begun = clock.now();
  let missing = 0;
  while (clock.now() < begun + mostMs) {
    const step = await outbox.exclusively('verify', async (work) =>
      recheckNext(work, store, await work.state(begun), begun),
    );
    if (step === null) return null;
    missing += step.missing;
    if (step.missing === 0 || step.isLast) break;
  }
  return { missing };
}
