import { DAY_SECONDS } from '@plimsoll/contract/rules/durations';

/**
 * The events of the demo, each told by figures, processes, alerts and pods that fit together. All times are epoch seconds.
 */
export interface Stories {
  now: number;
  /** Start of the spike: the last 03:12 UTC. */
  spikeAt: number;
  /** The newest report of the host that is down. */
  offlineSince: number;
  /** The deployment of the image that crashes. */
  deployedAt: number;
}

export const SPIKE_HOST = 'batch-sin-01';
export const LEAK_HOST = 'api-iad-01';
export const FILLING_HOST = 'logs-fra-01';
export const OFFLINE_HOST = 'edge-gru-01';
/** Nobody needs it since its queue moved into a cluster. */
export const IDLE_HOST = 'queue-dub-01';
export const CRASHING = { cluster: 'prod-iad', namespace: 'shop', name: 'checkout' } as const;
export const SPIKE_SECONDS = 14 * 60;

const SPIKE_TIME = 3 * 3600 + 12 * 60;
const OFFLINE_MINUTES = 41;
const EXHAUSTING_MINUTES = 40;
/** Memory of the host that goes down, per cent: before its cache job, and at its end. */
const EDGE_MEMORY = [50, 98] as const;
const LEAK_HOURS = 76;
const DEPLOYED_HOURS = 5;

export function storiesAt(now: number): Stories {
  const today = Math.floor(now / DAY_SECONDS) * DAY_SECONDS + SPIKE_TIME;
  return {
    now,
    spikeAt: today + 2 * SPIKE_SECONDS > now ? today - DAY_SECONDS : today,
    offlineSince: now - OFFLINE_MINUTES * 60,
    deployedAt: now - DEPLOYED_HOURS * 3600,
  };
}

/** Returns false once the host is down. */
export const isReporting = (name: string, at: number, { offlineSince }: Stories): boolean =>
  name !== OFFLINE_HOST || at <= offlineSince;

/** Returns the share of the spike, 0 to 1: up within a minute, down within two. */
export function spikeStory(name: string, at: number, { spikeAt }: Stories): number {
  if (name !== SPIKE_HOST) return 0;
  const since = at - spikeAt;
  if (since < 0 || since > SPIKE_SECONDS + 120) return 0;
  return Math.min(1, since / 60 + 0.2, (SPIKE_SECONDS + 120 - since) / 120);
}

/** Returns the start of the job that takes the memory of the host that goes down. */
export const exhaustingSince = ({ offlineSince }: Stories): number => offlineSince - EXHAUSTING_MINUTES * 60;

/** Returns the memory that this job holds, per cent of its host; 0 before its start. */
export function exhaustedStory(name: string, at: number, stories: Stories): number {
  if (name !== OFFLINE_HOST) return 0;
  const [before, end] = EDGE_MEMORY;
  return Math.max(0, ((at - exhaustingSince(stories)) / (EXHAUSTING_MINUTES * 60)) * (end - before));
}

/**
 * Returns the memory of a host with a story, per cent. That of the leaking host grows from 45 to 84, and was restarted
 * before that. That of the host that goes down fills up just before.
 */
export function memoryStory(name: string, at: number, stories: Stories): number | null {
  const exhausted = exhaustedStory(name, at, stories);
  if (exhausted > 0) return EDGE_MEMORY[0] + exhausted;
  if (name !== LEAK_HOST) return null;
  const { now } = stories;
  const cycle = LEAK_HOURS * 3600;
  // Each restart begins the leak anew; the present one has not been restarted yet.
  const age = cycle - ((now - at) % cycle);
  const share = at > now ? 1 + (at - now) / cycle : age / cycle;
  return 45 + 39 * share;
}

/** Returns the moment at which the leak has crossed the load line of 80 per cent. */
export const leaksOverSince = ({ now }: Stories): number => now - Math.floor(((84 - 80.2) / 39) * LEAK_HOURS * 60) * 60;

/** Returns the fullest disk of the host whose logs grow, per cent: 41 two weeks ago, 74 now. */
export function diskStory(name: string, at: number, { now }: Stories): number | null {
  if (name !== FILLING_HOST) return null;
  return 74 - ((now - at) / (14 * DAY_SECONDS)) * 33;
}
