import { boundedNumber } from '@plimsoll/contract/rules/bounded-number';

/**
 * Kubernetes quantities: "100m", "1.5", "64Mi", "1e3", "2G". Suffixes after
 * https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
const QUANTITY = /^([+-]?(?:\d+\.?\d*|\.\d+))(?:[eE]([+-]?\d{1,3})|(Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE]))?$/;

const FACTORS: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Returns base units (cores, bytes) of any size; null for what is no quantity. `boundedQuantity` is for figures. */
export function parseQuantity(text: unknown): number | null {
  if (typeof text === 'number') return Number.isFinite(text) ? text : null;
  const match = typeof text === 'string' && text.length <= 64 ? QUANTITY.exec(text) : null;
  if (!match) return null;
  const [, digits = '', exponent, suffix] = match;
  // Through the decimal exponent, not a product: 0.1 × 1e-3 is not 0.0001 in binary.
  if (exponent !== undefined) return finite(Number(`${digits}e${exponent}`));
  const factor = suffix === undefined ? 1 : (FACTORS[suffix] ?? Number.NaN);
  return finite(factor < 1 ? Number(`${digits}e${Math.round(Math.log10(factor))}`) : Number(digits) * factor);
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Returns a quantity from 0 to `most`; null for anything else. */
export const boundedQuantity = (text: unknown, most: number): number | null => boundedNumber(parseQuantity(text), most);
