import { isSameJson } from './same-json.ts';
import type { Named, Store } from './reflector.ts';

export interface Changes<T> {
  changed: T[];
  deleted: string[];
}

/**
 * The objects of one kind as the watch sees them, and the changes the server lacks. A report takes the changes; they are
 * put back when it did not arrive.
 */
export class Projection<T extends Named> implements Store<T> {
  readonly objects = new Map<string, T>();
  readonly #dirty = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #onChange: (before: T | null, after: T) => void;

  constructor(onChange: (before: T | null, after: T) => void = () => undefined) {
    this.#onChange = onChange;
  }

  retain(uids: ReadonlySet<string>): void {
    for (const object of this.objects.values()) if (!uids.has(object.uid)) this.remove(object);
  }

  /** An update that changed nothing we keep (a heartbeat, a second listing) is no news. */
  upsert(object: T): void {
    const before = this.objects.get(object.uid) ?? null;
    if (before && isSameJson(before, object)) return;
    this.#onChange(before, object);
    this.objects.set(object.uid, object);
    this.#dirty.add(object.uid);
    this.#deleted.delete(object.uid);
  }

  /** The last state of a deleted object may tell something new, too. */
  remove(object: T): void {
    this.#onChange(this.objects.get(object.uid) ?? null, object);
    this.objects.delete(object.uid);
    this.#dirty.delete(object.uid);
    this.#deleted.add(object.uid);
  }

  /** Has an object sent again: what is added to it on its way changed. */
  touch(uid: string): void {
    if (this.objects.has(uid)) this.#dirty.add(uid);
  }

  /** `all`: everything there is, for a full listing. */
  take(all: boolean): Changes<T> {
    const changes = {
      changed: all ? [...this.objects.values()] : [...this.#dirty].flatMap((uid) => this.objects.get(uid) ?? []),
      deleted: all ? [] : [...this.#deleted],
    };
    this.#dirty.clear();
    this.#deleted.clear();
    return changes;
  }

  rollback({ changed, deleted }: Changes<T>): void {
    for (const { uid } of changed) if (this.objects.has(uid)) this.#dirty.add(uid);
    for (const uid of deleted) if (!this.objects.has(uid)) this.#deleted.add(uid);
  }

  get pending(): number {
    return this.#dirty.size + this.#deleted.size;
  }
}
