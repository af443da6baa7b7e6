import { CLUSTER_LIMITS, FIGURE_LIMITS } from '@plimsoll/contract/rules/kubernetes-limits';
import { boundedQuantity } from './quantity.ts';

export interface Amounts {
  cpu_cores: number | null;
  memory_bytes: number | null;
}
type Quantities = Record<string, unknown> | undefined;

/**
 * Reads the figures of one object. A figure that is set but cannot be shown is unknown, and `unknown_fields` says why:
 * the API would refuse the object for it.
 */
export class Figures {
  readonly #reasons: string[] = [];

  /** The list belongs at the end of the projected object; without unknown fields there is none. */
  get unknown(): { unknown_fields?: string[] } {
    return this.#reasons.length === 0 ? {} : { unknown_fields: this.#reasons };
  }

  bytes(value: unknown, field: string): number | null {
    return this.shown(toldAmount(value, FIGURE_LIMITS.bytes), field, FIGURE_LIMITS.bytes, value);
  }

  /** A whole number that the database stores in 32 bits. */
  count(value: unknown, field: string): number | null {
    const told = toldAmount(value, FIGURE_LIMITS.int32);
    return this.shown(told === null ? null : Math.floor(told), field, FIGURE_LIMITS.int32, value);
  }

  amounts(list: Quantities, field: string): Amounts {
    return this.sums(toldAmounts(list), field, list);
  }

  /** Bounds sums of told amounts. `list`: the texts of a single entry, for the reason. */
  sums(told: Amounts, field: string, list?: Quantities): Amounts {
    const { cores, bytes } = FIGURE_LIMITS;
    return {
      cpu_cores: this.shown(told.cpu_cores, `${field}.cpu_cores`, cores, list?.cpu),
      memory_bytes: this.shown(told.memory_bytes, `${field}.memory_bytes`, bytes, list?.memory),
    };
  }

  shown(told: number | null, field: string, most: number, value?: unknown): number | null {
    if (told === null || (told >= 0 && told <= most)) return told;
    this.note(`${field}: ${reasonOf(value)}`);
    return null;
  }

  /** Adds the reason of a field that is not sent. */
  note(reason: string): void {
    if (this.#reasons.length < CLUSTER_LIMITS.unknownFields) this.#reasons.push(reason);
  }
}

function reasonOf(value: unknown): string {
  if (value === undefined) return 'its parts cannot be added to a figure in range';
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 64) : 'this value';
  return `${text || 'an empty text'} is no quantity in range`;
}

/** Null: not set. NaN: set, but not known, so that every sum and maximum with it is unknown, too. */
const toldAmount = (value: unknown, most: number): number | null =>
  value === undefined || value === null ? null : (boundedQuantity(value, most) ?? Number.NaN);

/** Returns the amounts of a list of quantities; NaN for one that is set and not known. */
export const toldAmounts = (list: Quantities): Amounts => ({
  cpu_cores: toldAmount(list?.cpu, FIGURE_LIMITS.cores),
  memory_bytes: toldAmount(list?.memory, FIGURE_LIMITS.bytes),
});
