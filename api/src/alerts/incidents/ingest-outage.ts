/** The servers of one account, apart from those that have an offline alert. */
export interface FleetSilence {
  /** Silent for long enough, without an alert yet. */
  silent: number;
  /** Not silent, but their report is overdue. */
  late: number;
  /** Not silent. */
  alive: number;
}
export type SilenceVerdict =
  /** One cause for all: a single alert. */
  | 'outage'
  /** Too many reports are overdue to judge single servers. */
  | 'wait'
  /** Each silent server gets its own alert. */
  | 'single';

/** Fewer silent servers are no outage. */
const LEAST_SERVERS = 3;

const isMost = (part: number, { silent, alive }: FleetSilence): boolean =>
  part >= LEAST_SERVERS && part * 2 > silent + alive;

/**
 * Returns how the silence of an account's servers is judged. Their reports are spread over an interval, so servers that
 * lose their connection at one moment become silent one after another: while most are silent or late, no single server
 * is judged. A late server is silent or back within two intervals.
 */
export function judgeSilence(fleet: FleetSilence): SilenceVerdict {
  if (isMost(fleet.silent, fleet)) return 'outage';
  return isMost(fleet.silent + fleet.late, fleet) ? 'wait' : 'single';
}
