import { MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import { hashToken } from '../../api/src/accounts/tokens.ts';
import { offlineChange } from '../../api/src/alerts/message.ts';
import { type Deps } from '../../api/src/deps.ts';
import { updateDiskTrends } from '../../api/src/series/update-disk-trends.ts';
import { eventsOf } from './events.ts';
import { isDown, sendListing, sendReport, type DemoCluster, type Machine } from './machines.ts';
import {
  CRASHING,
  FILLING_HOST,
  LEAK_HOST,
  leaksOverSince,
  SPIKE_HOST,
  SPIKE_SECONDS,
  type Stories,
} from './stories.ts';
import { type PersonId } from '../../api/src/tenancy/ids.ts';
import type { Lapse } from './lapse.ts';

/** The rule of the disk forecast waits for half an hour. */
export const FORECAST_MINUTES = 40;
/** Minutes that every machine reports in fast motion, so that the alert engine has seen them. */
export const LAPSE_MINUTES = 7;
/** The memory of the host that goes down crosses its line within them, and its alert opens. */
const EXHAUSTED_MINUTES = 18;

/** Everything that the demo enrolled. */
export interface World {
  personId: PersonId;
  machines: Machine[];
  clusters: DemoCluster[];
}

/** Sends what happened, minute by minute, so that the product itself finds the alerts. */
export async function playStories(
  { clock, deps, post }: Lapse,
  { machines, clusters }: World,
  stories: Stories,
): Promise<void> {
  const minutes = async (from: number, to: number, play: (at: number) => Promise<unknown>): Promise<void> => {
    for (let at = from; at <= to; at += MINUTE_SECONDS) {
      clock.ms = at * 1000;
      await play(at);
    }
  };
  const { now, spikeAt, offlineSince, deployedAt } = stories;
  const named = (name: string): Machine[] => machines.filter(({ host }) => host.name === name);
  const send = (some: readonly Machine[], at: number) =>
    Promise.all(some.map((one) => sendReport(post, one, at, stories)));
  const parts: { at: number; run: () => Promise<void> }[] = [
    {
      at: spikeAt,
      run: () =>
        minutes(spikeAt - 2 * MINUTE_SECONDS, spikeAt + SPIKE_SECONDS + 8 * MINUTE_SECONDS, (at) =>
          send(named(SPIKE_HOST), at),
        ),
    },
    {
      at: deployedAt,
      run: async () => {
        const crashing = clusters.filter(({ cluster }) => cluster.name === CRASHING.cluster);
        const moments = [-1, 1, 8, 9, 10, 11, 12, 13, 14, 15, 16].map((minute) => deployedAt + minute * MINUTE_SECONDS);
        for (const at of moments) {
          clock.ms = at * 1000;
          await Promise.all(crashing.map((of) => sendListing(post, of, at, stories)));
        }
      },
    },
    {
      at: leaksOverSince(stories),
      run: () =>
        minutes(leaksOverSince(stories), leaksOverSince(stories) + 8 * MINUTE_SECONDS, (at) =>
          send(named(LEAK_HOST), at),
        ),
    },
    {
      at: now - FORECAST_MINUTES * MINUTE_SECONDS,
      run: async () => {
        const from = now - FORECAST_MINUTES * MINUTE_SECONDS;
        clock.ms = from * 1000;
        await send(named(FILLING_HOST), from);
        await updateDiskTrends(deps.storage.filesystemHistory, clock.ms);
        await minutes(from + MINUTE_SECONDS, now - (LAPSE_MINUTES + 1) * MINUTE_SECONDS, (at) =>
          send(named(FILLING_HOST), at),
        );
      },
    },
    {
      at: offlineSince,
      run: () =>
        minutes(offlineSince - EXHAUSTED_MINUTES * MINUTE_SECONDS, offlineSince, (at) =>
          Promise.all(
            machines
              .filter(isDown)
              .map((one) => sendReport(post, one, at, stories, at === offlineSince ? eventsOf(one.host, stories) : [])),
          ),
        ),
    },
    {
      at: now,
      run: () =>
        minutes(now - LAPSE_MINUTES * MINUTE_SECONDS, now, async (at) => {
          const isFirst = at === now - LAPSE_MINUTES * MINUTE_SECONDS;
          await Promise.all(clusters.map((of) => sendListing(post, of, at, stories)));
          await Promise.all(
            machines.map((one) => sendReport(post, one, at, stories, isFirst ? eventsOf(one.host, stories) : [])),
          );
        }),
    },
  ];
  for (const { run } of parts.toSorted((a, b) => a.at - b.at)) await run();
  await openOffline(deps, machines, stories);
}

/** The silence job judges by the present; in the past the host has been down for longer than its rule waits. */
async function openOffline(deps: Deps, machines: readonly Machine[], { offlineSince }: Stories): Promise<void> {
  const { alertStates, agents } = deps.storage;
  for (const { token } of machines.filter(isDown)) {
    const found = await agents.findByToken(hashToken(token));
    if (found.state !== 'known') continue;
    const { serverKey, serverId, organisationId } = found.agent;
    const rule = (await deps.alertRules.of(organisationId)).of(serverId).offline;
    if (rule === null) continue;
    const at = offlineSince * 1000 + rule.forMs;
    const { version, tracks } = await alertStates.load(serverKey, [at]);
    await alertStates.save(serverKey, version, tracks, [offlineChange('opened', at, rule)]);
  }
}
