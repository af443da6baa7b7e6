import { randomUUID } from 'node:crypto';
import type { ChannelType, DeliveryOutcome } from '@plimsoll/contract/rules/notify';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import { judgeActing, type ActingState } from '../alerts/acting/acting.ts';
import type { AlertActing } from '../alerts/store.ts';
import type { Clock } from '../clock.ts';
import { targetOf } from './channel-secrets.ts';
import { buildCauseNotification, buildNotification, describeAlert, subjectName } from './message.ts';
import type { Storage } from '../storage.ts';
import { GIVE_UP_MS, LEASE_MS, retryDelayMs, SENT_WITHIN_MS } from './retry.ts';
import { judge, type Verdict } from './routing.ts';
import type { Outbox } from './store.ts';
import { moveChat } from './setup/move-chat.ts';
import type {
  ChannelDrivers,
  Claim,
  Notification,
  NotifiedAlert,
  OutboxEntry,
  SendResult,
  Settlement,
} from './types.ts';

export interface SenderDeps {
  outbox: Outbox;
  /** Keeps the new id of a chat. */
  storage: Pick<Storage, 'inTransaction'>;
  alertActing: AlertActing;
  drivers: ChannelDrivers;
  secretBox: SecretBox;
  clock: Clock;
  publicUrl: string | null;
  /** From 0 to 1, for the jitter. */
  random: () => number;
  observe: (type: ChannelType, outcome: DeliveryOutcome) => void;
}

/** Sends at once at most; each goes through a channel of its own. */
const SENDERS = 4;

/**
 * Sends what is due, each message once. Returns how many were tried, and when the next is due, in epoch milliseconds.
 * `repeats`: also repeats the messages of open alerts whose interval is over, and tells causes that became known.
 */
export async function sendDue(deps: SenderDeps, repeats = true): Promise<{ tried: number; nextDueAt: number | null }> {
  const now = deps.clock.now();
  if (repeats) {
    await deps.outbox.repeat(now);
    await deps.outbox.tellCauses(now);
  }
  const nextDueAt = await deps.outbox.nextDueAt();
  if (nextDueAt === null || nextDueAt > now) return { tried: 0, nextDueAt };
  const runs = await Promise.allSettled(Array.from({ length: SENDERS }, () => sendUntilNoneIsDue(deps)));
  const failed = runs.find((run) => run.status === 'rejected');
  // Only now: no sender may still be at work when the job ends.
  if (failed !== undefined) throw failed.reason;
  const tried = runs.reduce((sum, run) => sum + (run.status === 'fulfilled' ? run.value : 0), 0);
  return { tried, nextDueAt: await deps.outbox.nextDueAt() };
}

async function sendUntilNoneIsDue(deps: SenderDeps): Promise<number> {
  for (let tried = 0; ; tried += 1) {
    const now = deps.clock.now();
    const claim = await deps.outbox.claim(now, { id: randomUUID(), until: now + LEASE_MS });
    if (claim === null) return tried;
    await settleClaim(deps, claim, now + SENT_WITHIN_MS);
  }
}

/** The parts of a claim that are sent now, held or dropped. */
interface Sorted {
  alerts: NotifiedAlert[];
  sent: OutboxEntry[];
  /** An alert whose message would have nothing new but the cause. */
  about: OutboxEntry | null;
  skipped: OutboxEntry[];
  held: { ids: number[]; until: number }[];
}

type Acting = ReadonlyMap<string, ActingState>;

/** A server that changed hands is none of the old owner's business. */
function verdictOf(
  { channel, server, isOwned }: Claim,
  waiting: readonly OutboxEntry[],
  acting: Acting,
  now: number,
): Verdict {
  if (!isOwned) return { kind: 'skip' };
  const routed = judge(channel.routing, server?.tags ?? null, waiting, now);
  const state = acting.get(waiting[0]?.alertId ?? '');
  if (routed.kind === 'skip' || state === undefined) return routed;
  const acted = judgeActing(state, waiting);
  if (acted.kind !== 'hold' || routed.kind !== 'hold') return acted.kind === 'send' ? routed : acted;
  return { kind: 'hold', until: Math.max(acted.until, routed.until) };
}

function sort(claim: Claim, acting: Acting, now: number): Sorted {
  const sorted: Sorted = { alerts: [], sent: [], about: null, skipped: [], held: [] };
  for (const [, waiting] of Map.groupBy(claim.entries, ({ alertId }) => alertId)) {
    const verdict = verdictOf(claim, waiting, acting, now);
    const states = waiting.filter(({ state }) => state !== 'cause');
    const alert = describeAlert(states, now);
    const [cause] = states.length === 0 && claim.cause !== null ? waiting : [];
    if (verdict.kind === 'send' && cause !== undefined) {
      sorted.about ??= cause;
      sorted.sent.push(...waiting);
    } else if (verdict.kind === 'hold') sorted.held.push({ ids: waiting.map(({ id }) => id), until: verdict.until });
    else if (verdict.kind === 'skip' || alert === null) sorted.skipped.push(...waiting);
    else {
      sorted.alerts.push(alert);
      sorted.sent.push(...waiting);
    }
  }
  return sorted;
}

const idsOf = (entries: readonly OutboxEntry[]): number[] => entries.map(({ id }) => id);

/** Sends a claim before `sendBy`. Later it leaves the messages to the process that gets the lease next. */
async function settleClaim(deps: SenderDeps, claim: Claim, sendBy: number): Promise<void> {
  const { outbox, clock } = deps;
  const { lease, channel } = claim;
  const alertIds = [...new Set(claim.entries.map(({ alertId }) => alertId))];
  const acting = await deps.alertActing.ofAlerts(alertIds, clock.now());
  const sorted = sort(claim, acting, clock.now());
  const base = {
    done: idsOf(sorted.skipped),
    held: sorted.held,
    failed: null,
    delivered: [],
    ended: [],
    log: null,
    toldCauseOf: null,
  };
  if (sorted.alerts.length === 0 && sorted.about === null) {
    await outbox.settle({ lease, channelId: channel.id }, { ...base, sendAfter: clock.now() });
    return;
  }
  if (clock.now() > sendBy) return;
  const notification = notificationOf(deps, claim, sorted);
  const sent = await send(deps, claim.channel, notification);
  const detail = await moveChat(deps, claim.organisationId, claim.channel, sent);
  const result = { ...sent, detail };
  const told = notification.cause === null ? base : { ...base, toldCauseOf: claim.incidentId };
  const settlement = settlementOf(deps, claim, sorted, result, result.outcome === 'delivered' ? told : base);
  await outbox.settle({ lease, channelId: channel.id }, settlement);
  if (settlement.log !== null) deps.observe(channel.type, settlement.log.outcome);
}

/** The message carries the cause unless all that it says is over. */
function notificationOf({ publicUrl, clock }: SenderDeps, claim: Claim, { alerts, about }: Sorted): Notification {
  const { server, name, folded } = claim;
  const made = { publicUrl, at: clock.now() };
  if (alerts.length === 0 && about !== null && claim.cause !== null)
    return buildCauseNotification({ name }, about, { ...made, cause: claim.cause });
  const isNews = about !== null || alerts.some(({ state }) => state !== 'resolved');
  return buildNotification({ server, name, folded }, alerts, { ...made, cause: isNews ? claim.cause : null });
}

async function send(deps: SenderDeps, channel: Claim['channel'], notification: Notification): Promise<SendResult> {
  const { target, isReadable } = targetOf(deps.secretBox, channel);
  if (!isReadable)
    return { outcome: 'refused', detail: 'The stored secret cannot be read. Write it again: the key has changed.' };
  return deps.drivers[channel.type].send(target, notification);
}

function settlementOf(
  { clock, random, drivers }: SenderDeps,
  { channel, name }: Claim,
  { alerts, sent }: Sorted,
  result: SendResult,
  base: Omit<Settlement, 'sendAfter'>,
): Settlement {
  const now = clock.now();
  const attempt = Math.max(...sent.map(({ attempts }) => attempts)) + 1;
  const alertIds =
    alerts.length === 0 ? [...new Set(sent.map(({ alertId }) => alertId))] : alerts.map(({ alertId }) => alertId);
  const log = { at: now, detail: result.detail, hostname: subjectName(name), alertIds, attempt };
  const target = { settings: channel.settings, secrets: {} };
  const spaced = now + (drivers[channel.type].spacingMs?.(target) ?? 0);
  const done = [...base.done, ...idsOf(sent)];
  const ended = alerts.filter(({ state }) => state === 'resolved').map(({ alertId }) => alertId);
  if (result.outcome === 'delivered') {
    const delivered = alerts.filter(({ state }) => state !== 'resolved');
    return { ...base, done, delivered, ended, sendAfter: spaced, log: { ...log, outcome: 'delivered' } };
  }
  if (result.outcome === 'refused')
    return { ...base, done, ended, sendAfter: spaced, log: { ...log, outcome: 'refused' } };
  const retryAfter = result.retryAfterSeconds ?? 0;
  const sendAfter = Math.max(spaced, now + Math.min(retryAfter * 1000, GIVE_UP_MS));
  const isOver = (entry: OutboxEntry): boolean => now - (entry.firstTriedAt ?? now) >= GIVE_UP_MS;
  if (sent.some(isOver)) return { ...base, done, ended, sendAfter, log: { ...log, outcome: 'gave_up' } };
  const until = now + retryDelayMs(attempt - 1, random(), retryAfter);
  return {
    ...base,
    failed: { ids: idsOf(sent), until, at: now, mayHaveArrived: result.mayHaveArrived === true },
    sendAfter,
    log: { ...log, outcome: 'failed' },
  };
}
