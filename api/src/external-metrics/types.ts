/** Times are epoch milliseconds; values have the unit that the figure has at its agent (seconds, bytes, counts). */
import type { OrganisationId } from '../tenancy/ids.ts';

/**
 * Names one value of a server: the figure, then its labels, joined by tabs. Both kinds of agents are mapped to these
 * names, so that one file shapes reports of both.
 */
export type FigureKey = string;

/** Chooses what is read of a request: metrics by name, and the labels or attributes of a wanted metric. */
export interface Wanted {
  isMetric: (name: string) => boolean;
  isLabel: (name: string) => boolean;
}

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
  /** Labels that tell the machine from another one of this source, such as the cluster; empty: none. */
  apart: string;
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

/** A machine that sends as a source, with all that was sent about it. Stored as JSON. */
export interface KnownMachine {
  /** Identifies it within its source. The first one has ''. */
  key: string;
  apart: string;
  hostname: string;
  ids: string[];
  addresses: string[];
  /** Epoch seconds. */
  bootedAt: number | null;
  /** The time of boot before. If it returns, two machines were taken for one. */
  formerBoot: number | null;
  /** Epoch milliseconds of its last sample. */
  seenAt: number;
  /** Its last reported figures, for the counters of the next report. */
  last: Pick<StoredReading, 'intervalAt' | 'values'> | null;
}

/** All stored readings of a source that has some to report, the oldest first. */
export interface DueSource {
  organisationId: OrganisationId;
  source: MetricSource;
  /** Null: nothing was reported of it in the last day. */
  machines: KnownMachine[] | null;
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
  /** Samples that are no valid part of a request. */
  unreadable: number;
  /** Samples beyond what a request, or a server in one interval, may have. */
  leftOut: number;
}
