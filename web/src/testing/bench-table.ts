/** One measured thing beside its budget; sizes have one value, times one a round. */
export interface Row {
  what: string;
  values: readonly number[];
  /** Empty for a number of things. */
  unit: 'kB' | 'ms' | '';
  /** Null: measured for comparison only. */
  budget: number | null;
  /** Milliseconds until the effect was on the screen, waiting for the API included. */
  shown?: readonly number[];
}

/** The value below which the share lies (nearest rank); NaN of nothing. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

const WHAT = 56;
const CELL = 11;
const amount = (value: number, unit: string) =>
  unit === '' ? value.toFixed(0) : `${value.toFixed(value < 100 ? 1 : 0)} ${unit}`;

function line({ what, values, unit, budget, shown }: Row): string {
  const [p50, p95] = [quantile(values, 0.5), quantile(values, 0.95)];
  const cells = [
    amount(p50, unit),
    values.length > 1 ? amount(p95, unit) : '',
    budget === null ? '' : `${String(budget)} ${unit}`.trim(),
    budget === null ? '' : (p50 / budget).toFixed(2),
    budget === null || values.length < 2 ? '' : (p95 / budget).toFixed(2),
    shown === undefined ? '' : amount(quantile(shown, 0.5), 'ms'),
  ];
  return what.padEnd(WHAT) + cells.map((cell) => cell.padStart(CELL)).join('');
}

/** The rows as a table for a terminal. `shown`: until the effect was drawn, answers of the API included. */
export function tableOf(rows: readonly Row[]): string {
  const heads = ['p50', 'p95', 'budget', 'p50 ÷', 'p95 ÷', 'shown p50'];
  return [''.padEnd(WHAT) + heads.map((head) => head.padStart(CELL)).join(''), ...rows.map(line)].join('\n');
}
