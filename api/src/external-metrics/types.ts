/** Times are epoch milliseconds; values have the unit that the figure has at its agent (seconds, bytes, counts). */

/**
 * Names one value of a server: the figure, then its labels, joined by tabs. Both kinds of agents are mapped to these
 * names, so that one file shapes reports of both.
 */
export type FigureKey = string;

/** The newest value of a figure in a request. */
export type Value = readonly [key: FigureKey, value: number, at: number];
/** The growth of a counter between two moments, from an agent that sends differences. */
export type Growth = readonly [key: FigureKey, amount: number, from: number, to: number];

/** The name that an agent gives the machine of its series. */
export interface MetricSource {
  agent: 'prometheus' | 'opentelemetry';
  /** Identifies the machine within the account: job and instance, or the id of the host. */
  identity: string;
  /** For a person, until the agent has sent a host name. */
  name: string;
}

/** The part of one request about one server in one report interval. */
export interface Reading {
  source: MetricSource;
  /** Begin of the report interval. */
  intervalAt: number;
  values: Value[];
  growths: Growth[];
}

export interface StoredReading extends Omit<Reading, 'source'> {
  id: string;
  /** Already reported: kept because the counters of the next report are compared with it. */
  isReported: boolean;
}
/** All stored readings of a source that has some to report, the oldest first. */
export interface DueSource {
  accountId: string;
  source: MetricSource;
  readings: StoredReading[];
}

/** The content of a request. */
export interface Received {
  readings: Reading[];
  /** Samples of figures that a report has. */
  taken: number;
  /** Samples of metrics that no report has, and those without the name of a server. */
  ignored: number;
  /** Samples out of the bounds of time, and of servers beyond the limit. */
  refused: number;
}
