import type { AgentPart } from '@plimsoll/contract/wire/report';
import type { Clock } from './runtime/clock.ts';
import type { Log } from './runtime/log.ts';
import { collect, prime } from './report.ts';
import { crc32c } from './send/crc32c.ts';
import type { Sender } from './send/sender.ts';
import { enforceBounds } from './send/spool-bounds.ts';
import type { Spool } from './send/spool.ts';
import type { Moment, Source } from './source.ts';

export interface AgentOptions {
  sources: readonly Source[];
  spool: Spool;
  sender: Sender;
  clock: Clock;
  log: Log;
  bootId: string;
  version: string;
  /** Any steadily growing clock, for durations. */
  milliseconds: () => number;
  onCollected?: (now: Moment, sources: AgentPart['sources']) => void;
  /** After each request or attempt at one. */
  onSent?: () => void;
}

/** Length of the window of the first report, in seconds: rates at once instead of after a whole interval. */
const FIRST_WINDOW_SECONDS = 1;
/** The longest the sending loop sleeps without looking again. */
const IDLE_SECONDS = 3600;

/** "stopped" by the signal, or "gone": the server was deleted. */
export type Ending = 'stopped' | 'gone';

/** Seconds that a running request may delay the exit. Its reports are on disk. */
const FAREWELL_SECONDS = 1;

/** Collects and sends until the signal aborts. Collecting never waits for sending. */
export async function runAgent(options: AgentOptions, signal: AbortSignal): Promise<Ending> {
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  const wakes: Wakes = { collected: newWake(), interval: newWake() };
  either.addEventListener('abort', () => {
    wakes.collected.call();
    wakes.interval.call();
  });
  const sendToTheEnd = async (): Promise<Ending> => {
    const ending = await sendUntil(options, either, wakes);
    ended.abort();
    return ending;
  };
  const sending = sendToTheEnd();
  await collectUntil(options, either, wakes);
  const patience = options.clock.sleep(FAREWELL_SECONDS, new AbortController().signal);
  return Promise.race([sending, patience.then((): Ending => 'stopped')]);
}

async function collectUntil(options: AgentOptions, signal: AbortSignal, wakes: Wakes): Promise<void> {
  const { clock, sources } = options;
  let before = moment(clock);
  await prime(sources, before);
  await clock.sleep(FIRST_WINDOW_SECONDS, signal);
  while (!signal.aborted) {
    const now = moment(clock);
    await collectOnce(options, now, now.up > before.up ? now.up - before.up : null);
    before = now;
    wakes.collected.call();
    await untilNext(options, signal, wakes.interval);
  }
}

/** Sleeps to the host's next moment; again when an answer brings another interval meanwhile. */
async function untilNext({ clock, sender }: AgentOptions, signal: AbortSignal, changed: Wake): Promise<void> {
  let woken: AbortSignal;
  do {
    woken = changed.signal();
    await clock.sleep(secondsToPhase(clock.wall(), sender.serverId, sender.intervalSeconds), woken);
  } while (woken.aborted && !signal.aborted);
}

const moment = (clock: Clock): Moment => ({ ts: clock.wall(), up: clock.up() });

/** One collection into the spool. A spool that cannot take it is logged and the next collection tries again. */
async function collectOnce(options: AgentOptions, now: Moment, windowSeconds: number | null): Promise<void> {
  const { report, sources } = await collect(options.sources, now, windowSeconds, options.milliseconds);
  const agent = describeAgent(options, now, sources);
  options.onCollected?.(now, sources);
  try {
    await options.spool.append({ ...report, agent }, options.bootId);
    await enforceBounds(options.spool, { ...now, boot: options.bootId });
  } catch (error) {
    options.log('error', 'a report could not be kept', {
      reason: error instanceof Error ? error.message : String(error),
    });
  }
}

function describeAgent(options: AgentOptions, now: Moment, sources: AgentPart['sources']): AgentPart {
  const { spool, sender, version } = options;
  const oldest = spool.entries[0];
  return {
    version,
    spool_bytes: spool.bytes,
    spool_oldest_age_seconds: oldest ? Math.max(0, now.ts - oldest.ts) : null,
    retries: sender.retries,
    last_error: sender.lastError,
    clock_skew_seconds: sender.clockSkewSeconds,
    sources,
  };
}

/** Each host has its own moment within the interval, the same after every restart, so that hosts do not report at once. */
export function secondsToPhase(wall: number, serverId: string, intervalSeconds: number): number {
  const phase = ((crc32c(Buffer.from(serverId)) % 65_536) / 65_536) * intervalSeconds;
  const within = (((wall - phase) % intervalSeconds) + intervalSeconds) % intervalSeconds;
  const left = intervalSeconds - within;
  // A timer that fires a moment early must not collect twice.
  return left < Math.min(0.5, intervalSeconds / 4) ? left + intervalSeconds : left;
}

async function sendUntil(
  { sender, clock, log, onSent }: AgentOptions,
  signal: AbortSignal,
  wakes: Wakes,
): Promise<Ending> {
  while (!signal.aborted) {
    const planned = sender.intervalSeconds;
    const outcome = await sender.step().catch((error: unknown) => {
      log('error', 'sending failed unexpectedly', { reason: error instanceof Error ? error.message : String(error) });
      return 'failed' as const;
    });
    if (outcome === 'gone') return 'gone';
    onSent?.();
    if (sender.intervalSeconds !== planned) wakes.interval.call();
    if (outcome === 'failed') await clock.sleep(sender.intervalSeconds, signal);
    else if (outcome === 'wait') await clock.sleep(sender.dueAt - clock.up(), signal);
    else await clock.sleep(IDLE_SECONDS, wakes.collected.signal());
  }
  return 'stopped';
}

/** Ends a sleep, also one that begins just after the call. */
interface Wake {
  call(): void;
  signal(): AbortSignal;
}
/** `collected`: there is a report to send. `interval`: the server wishes another interval. Both: stop. */
type Wakes = Record<'collected' | 'interval', Wake>;
function newWake(): Wake {
  let controller = new AbortController();
  return {
    call: () => controller.abort(),
    signal: () => {
      if (controller.signal.aborted) {
        const { signal } = controller;
        controller = new AbortController();
        return signal;
      }
      return controller.signal;
    },
  };
}
