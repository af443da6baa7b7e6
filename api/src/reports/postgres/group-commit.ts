export interface TogetherOptions<T> {
  /** How many may go together, ascending, from 1. */
  sizes: readonly number[];
  /** Calls of `work` under way before what comes has to wait. */
  atOnce: number;
  /** No two of one key go together. */
  keyOf: (one: T) => number;
  /** Only those of one kind go together; null: goes alone and at once, so that long work holds nobody up. */
  kindOf: (one: T) => string | null;
  /** Whether an error may be that of a single one; any other is everybody's. */
  isOfOne: (error: unknown) => boolean;
}
interface Waiting<T, R> {
  one: T;
  kind: string;
  resolve: (result: R) => void;
  reject: (error: unknown) => void;
}

/**
 * Group commit: while there is room everything is worked on at once, alone; under load what arrives meanwhile goes
 * together. `work` does all of its arguments or none, and answers in their order. When one of several may be at fault, each
 * is tried alone, so that a bad neighbour harms nobody.
 */
export class Together<T, R> {
  readonly #work: (ones: readonly T[]) => Promise<R[]>;
  readonly #options: TogetherOptions<T>;
  readonly #waiting: Waiting<T, R>[] = [];
  #underWay = 0;

  constructor(work: (ones: readonly T[]) => Promise<R[]>, options: TogetherOptions<T>) {
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

  /** The one that waited longest, and as many of its kind as a size there is allows. */
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
      if (taken.length > 1 && this.#options.isOfOne(error)) for (const waiting of taken) await this.#do([waiting]);
      else for (const { reject } of taken) reject(error);
    }
  }
}
