import type { DescribedKind } from '@plimsoll/contract/rules/described-kinds';
import type { DescribedObject } from '@plimsoll/contract/wire/described-object';
import { Projection } from '../watch/projection.ts';
import type { Named, Resource, Store } from '../watch/reflector.ts';
import { describe, type Described, type Digester, wireObject } from './described.ts';
import { type ChangeGroup, DESCRIBED_RESOURCES, type DescribedResource, formOf } from './kinds.ts';

/** An object that another watch reads, together with its described state; null: it is not described. */
export interface WithDescription<T> {
  uid: string;
  object: T;
  described: Described | null;
}

/** The described states of a cluster. The API compares them, so nothing is compared or stored here. */
export class DescribedState {
  readonly projection = new Projection<Described>();
  readonly resources: readonly DescribedResource[];
  readonly #digester: Digester;

  constructor(groups: readonly ChangeGroup[], digester: Digester) {
    this.resources = DESCRIBED_RESOURCES.filter(({ group }) => groups.includes(group));
    this.#digester = digester;
  }

  /** Returns the resource that the watch of a kind reads. */
  resource({ name, kind, fill }: DescribedResource, watch: { path: string; needs: string }): Resource<Described> {
    return { name, ...watch, project: (object) => describe(object, kind, this.#digester, fill) };
  }

  /** Kinds share a projection: a listing of one must not delete the others. */
  store(kind: DescribedKind): Store<Described> {
    const { projection } = this;
    return {
      // A heartbeat, a status or a note of who wrote is no news.
      upsert: (object) => {
        if (projection.objects.get(object.uid)?.state !== object.state) projection.upsert(object);
      },
      remove: ({ uid }) => this.#remove(uid),
      retain: (uids) => {
        for (const object of projection.objects.values())
          if (object.kind === kind && !uids.has(object.uid)) projection.remove(object);
      },
    };
  }

  /** One watch then feeds two stores. */
  also<T extends Named>(
    resource: Resource<T>,
    kind: DescribedKind,
    isDescribed: (object: T) => boolean = () => true,
  ): Resource<WithDescription<T>> {
    const row = this.resources.find((one) => one.kind === kind);
    return {
      ...resource,
      project: (raw) => {
        const object = resource.project(raw);
        const described = row && isDescribed(object) ? this.#attempt(raw, row) : null;
        return { uid: object.uid, object, described };
      },
    };
  }

  /** Describes an object; null if that fails. It then keeps its last state, and its workload keeps its row. */
  #attempt(raw: unknown, { kind, fill }: DescribedResource): Described | null {
    try {
      return describe(raw, kind, this.#digester, fill);
    } catch {
      return null;
    }
  }

  both<T extends Named>(store: Store<T>, kind: DescribedKind): Store<WithDescription<T>> {
    const own = this.store(kind);
    return {
      upsert: ({ object, described }) => {
        store.upsert(object);
        if (described) own.upsert(described);
      },
      remove: ({ uid, object }) => {
        store.remove(object);
        this.#remove(uid);
      },
      retain: (uids) => {
        store.retain(uids);
        own.retain(uids);
      },
    };
  }

  wire(object: Described): DescribedObject {
    return wireObject(object, formOf(object.kind), this.#digester.key);
  }

  /** An object that was never described is no deletion. */
  #remove(uid: string): void {
    const known = this.projection.objects.get(uid);
    if (known) this.projection.remove(known);
  }
}
