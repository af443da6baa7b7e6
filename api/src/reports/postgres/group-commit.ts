export interface GroupCommitOptions<T> {
  /** Allowed batch sizes, ascending, starting with 1. */
  sizes: readonly number[];
  /** Maximum of concurrent calls of `work`. Later items wait and are batched. */
  atOnce: number;
  /** Items with the same key never share a batch. */
  keyOf: (one: T) => number;
  /**
   * Only items of one kind share a batch. An item of kind null runs alone and at once, so long work delays no other
   * item.
   */
  kindOf: (one: T) => string | null;
  /** Returns true if one item caused the error, so each is retried alone. Otherwise the whole batch fails. */
  isCausedByOne: (error: unknown) => boolean;
}
interface Waiting<T, R> {
  one: T;
  kind: string;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: below the concurrency limit each item runs alone and at once; under load waiting items share a batch.
 * `work` completes all of its arguments or none, and returns results in their order. If one item may have caused a
 * failure, each item of the batch is retried alone, so a bad item does not fail the others.
 */
export class GroupCommit<T, R> {
  readonly #work: (ones: readonly T[]) => Promise<R[]>;
  readonly #options: GroupCommitOptions<T>;
  readonly #waiting: Waiting<T, R>[] = [];
  #underWay = 0;

  constructor(work: (ones: readonly T[]) => Promise<R[]>, options: GroupCommitOptions<T>) {
    this.#work = work;
    this.#options = options;
  }

  run(one: T): Promise<R> {
    const kind = this.#options.kindOf(one);
    return new Promise((resolve, reject) => {
      const waiting = { one, kind: kind ?? '', resolve, reject };
      if (kind === null) void this.#do([waiting]);
      else {
        this.#waiting.push(waiting);
        this.#start();
      }
    });
  }

  #start(): void {
    if (this.#underWay >= this.#options.atOnce || this.#waiting.length === 0) return;
    this.#underWay += 1;
    void this.#do(this.#take()).finally(() => {
      this.#underWay -= 1;
      this.#start();
    });
  }

  /** Removes and returns the oldest item and as many others of its kind as the largest possible size allows. */
  #take(): Waiting<T, R>[] {
    const { sizes, keyOf } = this.#options;
    const [first] = this.#waiting;
    if (first === undefined) return [];
    const most = sizes.at(-1) ?? 1;
    const keys = new Set<number>();
    const fitting: Waiting<T, R>[] = [];
    for (const waiting of this.#waiting) {
      if (fitting.length === most) break;
      const key = keyOf(waiting.one);
      if (waiting.kind !== first.kind || keys.has(key)) continue;
      keys.add(key);
      fitting.push(waiting);
    }
    const taken = new Set(fitting.slice(0, sizes.findLast((size) => size <= fitting.length) ?? 1));
    const left = this.#waiting.filter((waiting) => !taken.has(waiting));
    this.#waiting.splice(0, this.#waiting.length, ...left);
    return [...taken];
  }

  async #do(taken: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.#work(taken.map(({ one }) => one));
      taken.forEach(({ resolve }, index) => resolve(results[index] as R));
    } catch (error) {
      if (taken.length > 1 && this.#options.isCausedByOne(error))
        for (const waiting of taken) await this.#do([waiting]);
      else for (const { reject } of taken) reject(error);
    }
  }
}
