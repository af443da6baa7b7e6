interface Kept<Row> {
  version: string;
  /** The groups are true from this time on (ms), */
  from: number;
  /** and until the first of them changes by the mere passing of time (ms). */
  until: number;
  groups: Promise<readonly Row[]>;
  /** 0 until they are read. */
  size: number;
}
interface Version {
  key: number;
  /** Changes whenever something that is grouped is written. */
  version: string;
}
const NONE: Promise<readonly never[]> = Promise.resolve([]);

/**
 * Keeps groups of pods by cluster while nothing of the cluster is written: its pods change with its reports only, once a
 * minute, and viewers request the sums every few seconds.
 */
export class KeptGroups<Row extends { clusterKey: number }> {
  readonly #query: (keys: readonly number[], now: number) => Promise<Row[]>;
  readonly #changesAt: (row: Row) => number;
  readonly #mostGroups: number;
  /** By cluster key, the least recently read from the database first. */
  readonly #kept = new Map<number, Kept<Row>>();
  #size = 0;

  /** `changesAt`: when a group changes without a write (ms). */
  constructor(
    query: (keys: readonly number[], now: number) => Promise<Row[]>,
    changesAt: (row: Row) => number,
    mostGroups: number,
  ) {
    this.#query = query;
    this.#changesAt = changesAt;
    this.#mostGroups = mostGroups;
  }

  async read(clusters: readonly Version[], now: number): Promise<Row[]> {
    const wanted = clusters.filter(({ key, version }) => !isTrue(this.#kept.get(key), version, now));
    if (wanted.length > 0) this.#keep(wanted, now);
    const found = await Promise.all(clusters.map(({ key }) => this.#kept.get(key)?.groups ?? NONE));
    this.#forgetOldest();
    return found.flat();
  }

  /** Everyone who asks meanwhile waits for the same statement. */
  #keep(clusters: readonly Version[], now: number): void {
    const keys = clusters.map(({ key }) => key);
    const read = this.#query(keys, now).then((rows) => Map.groupBy(rows, ({ clusterKey }) => clusterKey));
    for (const { key, version } of clusters) {
      this.#drop(key);
      const groups = read.then((byCluster) => byCluster.get(key) ?? []);
      const kept: Kept<Row> = { version, from: now, until: Infinity, groups, size: 0 };
      this.#kept.set(key, kept);
      void this.#measure(key, kept);
    }
  }

  async #measure(key: number, kept: Kept<Row>): Promise<void> {
    try {
      const rows = await kept.groups;
      kept.until = Math.floor(rows.reduce((first, row) => Math.min(first, this.#changesAt(row)), Infinity));
      if (this.#kept.get(key) !== kept) return;
      kept.size = rows.length;
      this.#size += rows.length;
    } catch {
      // The callers that wait receive the error.
      if (this.#kept.get(key) === kept) this.#drop(key);
    }
  }

  #drop(key: number): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }

  #forgetOldest(): void {
    for (const key of this.#kept.keys()) {
      if (this.#size <= this.#mostGroups) return;
      this.#drop(key);
    }
  }
}

const isTrue = (kept: Kept<unknown> | undefined, version: string, now: number): boolean =>
  kept !== undefined && kept.version === version && kept.from <= now && now < kept.until;
