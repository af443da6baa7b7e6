import { EXTERNAL_METRICS_LIMITS, REPORT_LIMITS, SAMPLE_TIME_BOUNDS } from '@plimsoll/contract/rules/limits';
import { isVisible, printableText } from '@plimsoll/contract/rules/printable-text';
import type { FigureKey, Growth, MetricSource, Reading, Received, Value } from './types.ts';

/** Returns the key of a figure. A label cannot contain the tab that separates them. */
export const figureKey = (figure: string, ...labels: readonly string[]): FigureKey =>
  labels.length === 0
    ? figure
    : `${figure}\t${labels.map((label) => printableText(label, EXTERNAL_METRICS_LIMITS.labelCharacters)).join('\t')}`;

/** Returns the machine of these texts. Null: they show nothing, so no server can be named by them. */
export function metricSource(
  agent: MetricSource['agent'],
  { identity, name }: { identity: readonly [string, ...string[]]; name: string },
): MetricSource | null {
  if (!identity.some(isVisible)) return null;
  const shown = figureKey(name);
  return { agent, identity: figureKey(...identity), name: isVisible(shown) ? shown : figureKey(identity.at(-1) ?? '') };
}

/** Values of a figure that a server may have in one interval, where it is not `valuesPerFigure`. */
const MOST_VALUES: Partial<Record<string, number>> = {
  // Eight modes of each CPU.
  cpu: 8 * REPORT_LIMITS.cpus,
  'cpu-share': 8 * REPORT_LIMITS.cpus,
  // One of each is shown.
  uname: 4,
  os: 4,
  'agent-version': 4,
  'machine-id': 16,
};
/** Figures of fixed labels take no room: they are few, and a server without them shows nothing. */
const FIXED = new Set(['cores', 'load', 'memory', 'swap', 'tcp', 'boot-time', 'uptime']);
/** Characters of a stored value beside its key: the number, its time, brackets and commas. */
const CHARACTERS_OF_VALUE = 40;
/**
 * Counters have 64 bits. No figure of a host is larger. Below 0 are temperatures, and what is left of a filesystem of the
 * BSDs that is filled into its reserve.
 */
const MOST_VALUE = 2 ** 64;
const TEMPERATURES = ['temperature\t', 'thermal-zone\t'];
const LEAST_CELSIUS = -273.15;
const isAvailable = (key: FigureKey): boolean => key.startsWith('filesystem\t') && key.endsWith('\tavailable');
const leastOf = (key: FigureKey): number => {
  if (TEMPERATURES.some((figure) => key.startsWith(figure))) return LEAST_CELSIUS;
  return isAvailable(key) ? -MOST_VALUE : 0;
};

/** A machine as one request names it. `apart`: labels that tell it from another one of this source; empty: none. */
export interface NamedSource extends MetricSource {
  apart?: string;
}

interface Open {
  source: NamedSource;
  intervalAt: number;
  values: Map<FigureKey, Value>;
  growths: Map<string, Growth>;
  characters: number;
  /** Number of values by figure. */
  counts: Map<string, number>;
}

/** Gathers the samples of one request by server and report interval, the newest of each figure. */
export class ReadingCollector {
  readonly #receivedAt: number;
  readonly #intervalMs: number;
  readonly #open = new Map<string, Open>();
  readonly #identities = new Set<string>();
  #taken = 0;
  /** Samples that no report has a place for, and those that are no valid part of a request. */
  ignored = 0;
  unreadable = 0;
  #refused = 0;
  #leftOut = 0;
  #characters = 0;

  constructor(receivedAt: number, reportIntervalSeconds: number) {
    this.#receivedAt = receivedAt;
    this.#intervalMs = reportIntervalSeconds * 1000;
  }

  /** Takes a text about the machine, which is all in its key. */
  addFact(source: NamedSource, key: FigureKey, at: number): void {
    if (!this.#identities.has(getIdentity(source))) return;
    const open = this.#openInterval(source, at);
    if (typeof open === 'object' && this.#hasRoom(open, open.values, key, key)) open.values.set(key, [key, 1, at]);
  }

  addValue(source: NamedSource, key: FigureKey, value: number, at: number): void {
    if (!this.#isPossible(value, leastOf(key))) return;
    const open = this.#intervalOf(source, at);
    if (open === null) return;
    const known = open.values.get(key);
    if (known !== undefined && known[2] >= at) return;
    if (this.#count(this.#hasRoom(open, open.values, key, key))) open.values.set(key, [key, value, at]);
  }

  addGrowth(source: NamedSource, key: FigureKey, amount: number, { from, to }: { from: number; to: number }): void {
    if (!this.#isPossible(amount, 0) || !(to > from)) return;
    const open = this.#intervalOf(source, to);
    if (open === null) return;
    const stored = `${key}\t${String(from)}\t${String(to)}`;
    if (this.#count(this.#hasRoom(open, open.growths, stored, key))) open.growths.set(stored, [key, amount, from, to]);
  }

  finish(): Received {
    const readings = [...this.#open.values()].map(({ source, intervalAt, values, growths }): Reading => ({
      source: { agent: source.agent, identity: source.identity, name: source.name },
      apart: source.apart ?? '',
      intervalAt,
      values: [...values.values()],
      growths: [...growths.values()],
    }));
    return {
      readings,
      taken: this.#taken,
      ignored: this.ignored,
      refused: this.#refused,
      unreadable: this.unreadable,
      leftOut: this.#leftOut,
    };
  }

  #isPossible(value: number, least: number): boolean {
    if (value >= least && value <= MOST_VALUE) return true;
    // Prometheus marks the end of a series with a NaN.
    if (!Number.isNaN(value)) this.ignored += 1;
    return false;
  }

  /** Counts a sample that is in bounds. Null: it is not. */
  #intervalOf(source: NamedSource, at: number): Open | null {
    const open = this.#openInterval(source, at);
    if (open === 'out of bounds') this.#refused += 1;
    else if (open === 'too many') this.#leftOut += 1;
    else {
      this.#taken += 1;
      return open;
    }
    return null;
  }

  /** Counts a sample that was taken, but for which there is no room. */
  #count(hasRoom: boolean): boolean {
    if (hasRoom) return true;
    this.#taken -= 1;
    this.#leftOut += 1;
    return false;
  }

  /** Takes room for a figure of a server that was not there yet. Returns false if there is none. */
  #hasRoom(open: Open, stored: ReadonlyMap<string, unknown>, entry: string, key: FigureKey): boolean {
    if (stored.has(entry)) return true;
    const tab = key.indexOf('\t');
    const figure = tab === -1 ? key : key.slice(0, tab);
    const characters = key.length + CHARACTERS_OF_VALUE;
    if (this.#characters + characters > LIMITS.figureCharactersPerRequest) return false;
    // A difference of a fixed figure has another entry for each time.
    if (!FIXED.has(figure) || stored === open.growths) {
      const count = open.counts.get(figure) ?? 0;
      if (count >= (MOST_VALUES[figure] ?? LIMITS.valuesPerFigure)) return false;
      if (open.characters + characters > LIMITS.figureCharactersPerReading) return false;
      open.counts.set(figure, count + 1);
      open.characters += characters;
    }
    this.#characters += characters;
    return true;
  }

  #openInterval(source: NamedSource, at: number): Open | 'out of bounds' | 'too many' {
    const { past, future } = SAMPLE_TIME_BOUNDS;
    if (!(at >= this.#receivedAt - past * 1000 && at <= this.#receivedAt + future * 1000)) return 'out of bounds';
    const identity = getIdentity(source);
    const intervalAt = Math.floor(at / this.#intervalMs) * this.#intervalMs;
    const key = `${identity}\t${String(intervalAt)}\t${source.apart ?? ''}`;
    let open = this.#open.get(key);
    if (open !== undefined) return open;
    const isNew = !this.#identities.has(identity);
    if (isNew && this.#identities.size >= LIMITS.serversPerRequest) return 'out of bounds';
    if (this.#open.size >= LIMITS.readingsPerRequest) return 'too many';
    this.#identities.add(identity);
    open = { source, intervalAt, values: new Map(), growths: new Map(), characters: 0, counts: new Map() };
    this.#open.set(key, open);
    return open;
  }
}

const LIMITS = EXTERNAL_METRICS_LIMITS;
const getIdentity = ({ agent, identity }: MetricSource): string => `${agent}\t${identity}`;
