import { MINUTE_MS } from '@plimsoll/contract/rules/durations';
import { GAP_INTERVALS } from '@plimsoll/contract/rules/gaps';
import type { GapReason } from '@plimsoll/contract/rules/limits';
import { SAMPLE_TIME_BOUNDS } from '@plimsoll/contract/rules/limits';
import { missing, settle } from '../reports/ledger.ts';
import type { SeqRange } from '../reports/ledger.ts';

/** An interval without samples and the ledger entries at both ends. Times are epoch ms. */
export interface LedgerEntry {
  at: number;
  upSeconds: number;
  boot: number;
  stream: number;
  seq: number;
}
export interface GapFacts {
  before: LedgerEntry;
  /** Null while the server is still silent. */
  after: LedgerEntry | null;
  /** Goodbyes of the agent inside the stretch. */
  signOffs: { at: number; reason: string }[];
  /** Seqs between the ends that were refused or declared dropped. */
  dropped: (SeqRange & { why: string })[];
  /** When the collector found that the host had been suspended, inside the stretch. */
  resumedAt: number[];
  /** Stretches in which this API did not run. */
  outages: { from: number; to: number }[];
  intervalSeconds: number;
}
export interface ExplainedGap {
  from: number;
  to: number;
  reason: GapReason;
  detail: string;
}

/** A host that is back this soon was restarted; longer, it was off. Servers with much memory take minutes to boot. */
const REBOOT_MS = 15 * 60_000;

const minutes = (ms: number): string => `${Math.max(1, Math.round(ms / MINUTE_MS))} min`;
const time = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');

const explainSilence = (facts: GapFacts, to: number): ExplainedGap => {
  const from = facts.before.at;
  const signOff = facts.signOffs.at(-1);
  if (signOff) {
    return {
      from,
      to,
      reason: 'agent_stopped',
      detail: `The agent signed off (${signOff.reason}) at ${time(signOff.at)} UTC.`,
    };
  }
  return {
    from,
    to,
    reason: 'silent',
    detail: 'No report since: the host is off, the agent stopped or the link is down. The next report shows the cause.',
  };
};

const explainBoot = (facts: GapFacts, after: LedgerEntry): ExplainedGap[] => {
  const { before, intervalSeconds } = facts;
  const bootedAt = Math.max(before.at, after.at - after.upSeconds * 1000);
  const off = bootedAt - before.at;
  const isOff = off > REBOOT_MS;
  const down: ExplainedGap = {
    from: before.at,
    to: after.at,
    reason: isOff ? 'host_off' : 'rebooted',
    detail: isOff
      ? `The host was off for up to ${minutes(off)} and booted at ${time(bootedAt)} UTC.`
      : `The host booted at ${time(bootedAt)} UTC.`,
  };
  if (after.at - bootedAt <= GAP_INTERVALS * intervalSeconds * 1000) return [down];
  const idle: ExplainedGap = {
    from: bootedAt,
    to: after.at,
    reason: 'agent_stopped',
    detail: `The agent started ${minutes(after.at - bootedAt)} after the host had booted.`,
  };
  return [{ ...down, to: bootedAt }, idle];
};

const explainStop = (facts: GapFacts, after: LedgerEntry): ExplainedGap => {
  const signOff = facts.signOffs.at(-1);
  if (!signOff && facts.resumedAt.length > 0) {
    const detail = `The host was suspended and was back at ${time(after.at)} UTC.`;
    return { from: facts.before.at, to: after.at, reason: 'suspended', detail };
  }
  const detail = signOff
    ? `The agent signed off (${signOff.reason}) at ${time(signOff.at)} UTC and was started again at ${time(after.at)} UTC.`
    : 'The agent was not running although the host was up, or the host was suspended.';
  return { from: facts.before.at, to: after.at, reason: 'agent_stopped', detail };
};

/**
 * Why the seqs are missing where another agent sends the metrics: it sends no sequence numbers, so a lost report cannot be
 * detected. `external-metrics` declares them.
 */
export const NOT_RECEIVED = 'not_received';

const explainNotReceived = (facts: GapFacts, after: LedgerEntry): ExplainedGap => {
  const gap = { from: facts.before.at, to: after.at };
  return isDown(facts, after.at)
    ? { ...gap, reason: 'server_down', detail: 'Plimsoll itself was down.' }
    : {
        ...gap,
        reason: 'agent_stopped',
        detail: 'No metrics of this server arrived: its agent or the program that sends them was not running.',
      };
};

const isDown = ({ before, outages }: GapFacts, to: number): boolean =>
  outages.some((outage) => outage.from < to && outage.to > before.at);

const explainMissing = (facts: GapFacts, after: LedgerEntry, now: number): ExplainedGap => {
  const { before, dropped } = facts;
  const ends = [
    { from: 1, to: before.seq },
    { from: after.seq, to: after.seq },
  ];
  const open = missing(settle(ends, dropped)).reduce((total, { from, to }) => total + to - from + 1, 0);
  const gap = { from: before.at, to: after.at };
  if (open === 0) {
    if (dropped.length > 0 && dropped.every(({ why }) => why === NOT_RECEIVED)) return explainNotReceived(facts, after);
    const reasons = [...new Set(dropped.map(({ why }) => why))].join(', ');
    return { ...gap, reason: 'dropped', detail: `Reports were collected and then lost: ${reasons}.` };
  }
  if (after.at < now - SAMPLE_TIME_BOUNDS.past * 1000) {
    return { ...gap, reason: 'unexplained', detail: `${open} reports were collected and never arrived.` };
  }
  return isDown(facts, after.at)
    ? { ...gap, reason: 'server_down', detail: `Plimsoll itself was down; ${open} reports are still to come.` }
    : { ...gap, reason: 'link_lost', detail: `The link was lost; ${open} reports are still to come.` };
};

/** Says why samples are missing between two reports, or since the last one; a stretch may have two causes in a row. */
export const explainGap = (facts: GapFacts, now: number): ExplainedGap[] => {
  const { before, after } = facts;
  if (!after) return [explainSilence(facts, now)];
  if (after.boot !== before.boot) return explainBoot(facts, after);
  const seqsBetween = after.stream === before.stream ? Math.abs(after.seq - before.seq) - 1 : 0;
  return [seqsBetween > 0 ? explainMissing(facts, after, now) : explainStop(facts, after)];
};
