import type { Named, Store } from '../watch/reflector.ts';

/** Does with a store what a reflector does in a complete listing. */
export function listInto<T extends Named>(store: Store<T>, objects: readonly T[]): void {
  for (const object of objects) store.upsert(object);
  store.retain(new Set(objects.map(({ uid }) => uid)));
}
