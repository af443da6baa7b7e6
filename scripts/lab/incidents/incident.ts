import type { CauseEntity } from '@plimsoll/contract/wire/causes';

/** Entity as an author of incidents writes it. `objectKind` only where the kind is `object`. */
export interface Named {
  kind: CauseEntity['kind'];
  name: string;
  objectKind?: string;
}

/** One true cause. An answer names it with any of `entities`; they are names of one thing. */
export interface TrueCause {
  entities: Named[];
  /** The mechanism in words, for the table. */
  mechanism: string;
  /** The entry of the ledger that brought it about, as kind and name; null: no watched change did. */
  change: { kind: string; name: string } | null;
}

/** Things to say of an incident before it runs. Its author writes them without knowledge of the analyser. */
export interface Incident<Place> {
  name: string;
  /** The fault, in words for the table. */
  fault: string;
  /** Empty: a healthy stretch, in which nothing may be accused. */
  causes: TrueCause[];
  /** Entities that are neither right nor wrong: the place where the cause shows. */
  related?: Named[];
  /** A harmless change beside the fault, in words; null: none. */
  decoy: string | null;
  /** Recorded lines stand in for a fault that needs hardware. */
  isReplayed?: boolean;
  /** It harms the whole cluster, so no other incident runs beside it. */
  isAlone?: boolean;
  /** Runs three times, for the worst of three. */
  isRepeated?: boolean;
  /** Does the harm, and the decoy before or after it. */
  inject(place: Place): Promise<void> | void;
  /** Takes back what the end of the namespace or of the machine does not. */
  undo?(place: Place): Promise<void> | void;
}

export const isHealthy = ({ causes }: Pick<Incident<never>, 'causes'>): boolean => causes.length === 0;
