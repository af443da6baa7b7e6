import { HOUR_MS } from '@plimsoll/contract/rules/durations';
import type { Clock } from '../../clock.ts';
import type { OutboxWork, SampleOutbox, SeriesStore } from '../store.ts';
import type { ShippedSample } from './shipped-figures.ts';
import { SamplesRefused, type ShippingState } from './types.ts';

/** A report may be stamped as received before a scan and committed after it; a request lasts 15 s at most. */
export const SETTLED_MS = 120_000;
/** Until a sample that the store took shows in its answers: up to 9 s under load. */
export const VISIBLE_MS = 60_000;
/** Samples of a request; about 44,000 figures. */
export const MOST_SAMPLES = 2000;
/** Requests that look for the servers whose samples are refused. Beyond them the verifier does, hour by hour. */
const MOST_SPLITS = 64;

export interface SeriesDeps {
  outbox: SampleOutbox;
  store: SeriesStore;
  clock: Clock;
}

/** Samples that the store refused, and its text. */
interface Refusal {
  samples: readonly ShippedSample[];
  detail: string;
}

export const chunksOf = <T>(all: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, index) => all.slice(index * size, (index + 1) * size));

/**
 * Sends samples of one tenant. A store refuses a request whole, so halves are tried down to one server, until `splits`
 * are used up. Returns what was refused.
 */
export async function sendSamples(
  store: SeriesStore,
  tenant: number,
  samples: readonly ShippedSample[],
  splits = { left: MOST_SPLITS },
): Promise<Refusal[]> {
  try {
    await store.append(tenant, samples);
    return [];
  } catch (error) {
    if (!(error instanceof SamplesRefused)) throw error;
    const servers = [...new Set(samples.map(({ serverId }) => serverId))];
    if (servers.length < 2 || splits.left < 1) return [{ samples, detail: error.message }];
    splits.left -= 1;
    const first = new Set(servers.slice(0, servers.length / 2));
    const [one, other] = [true, false].map((isFirst) =>
      samples.filter(({ serverId }) => first.has(serverId) === isFirst),
    );
    return [
      ...(await sendSamples(store, tenant, one ?? [], splits)),
      ...(await sendSamples(store, tenant, other ?? [], splits)),
    ];
  }
}

export const hourOf = (at: number): number => Math.floor(at / HOUR_MS) * HOUR_MS;

/** Each hour of these samples, once for each tenant. */
function hoursOf(samples: readonly ShippedSample[]): { tenant: number; at: number }[] {
  const hours = samples.map(({ tenant, at }) => ({ tenant, at: hourOf(at) }));
  return [...new Map(hours.map((hour) => [`${String(hour.tenant)} ${String(hour.at)}`, hour])).values()];
}

/** Sends the samples of the next reports. Returns their number; null: all are sent. */
async function shipNext(work: OutboxWork, store: SeriesStore, state: ShippingState, now: number) {
  const before = now - SETTLED_MS;
  if (state.shippedTo >= before) return null;
  const { to, samples } = await work.receivedFrom(state.shippedTo, before);
  const refusals: Refusal[] = [];
  for (const [tenant, ofTenant] of Map.groupBy(samples, (sample) => (store.isShared ? 0 : sample.tenant)))
    for (const chunk of chunksOf(ofTenant, MOST_SAMPLES)) refusals.push(...(await sendSamples(store, tenant, chunk)));
  const retryAt = now + VISIBLE_MS;
  const late = samples.filter(({ at }) => hourOf(at) < state.verifiedTo);
  for (const hour of hoursOf(late))
    await work.saveHour({ ...hour, reason: 'late', detail: null, retryAt, isAttempt: false });
  for (const refusal of refusals)
    for (const hour of hoursOf(refusal.samples))
      await work.saveHour({ ...hour, reason: 'refused', detail: refusal.detail, retryAt, isAttempt: false });
  await work.saveShipped(to);
  return samples.length;
}

/** Sends what arrived since the last run, for at most `mostMs`. Returns null while another replica does it. */
export async function shipSamples(
  { outbox, store, clock }: SeriesDeps,
  mostMs: number,
): Promise<{ samples: number } | null> {
  const begun = clock.now();
  let samples = 0;
  while (clock.now() < begun + mostMs) {
    const step = await outbox.exclusively('ship', async (work) => {
      const sent = await shipNext(work, store, await work.state(begun), begun);
      return { sent };
    });
    if (step === null) return null;
    if (step.sent === null) break;
    samples += step.sent;
  }
  // A store that nothing was sent to may be away, too.
  if (samples === 0) await store.ping();
  return { samples };
}
