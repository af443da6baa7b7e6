import { ROLLED_UP } from '../rolled-up-figures.ts';
import { SAMPLE_COLUMN_NAMES } from '../stored-figures.ts';

/** A figure in the remote store: the value of its label `figure`, and the SQL that reads it from a sample. */
interface ShippedFigure {
  name: string;
  expression: string;
}

/** 1 for every sample, so that a sample without a single known figure is counted, too. */
export const REPORTED = 'reported';

/** A sum of two figures has a least and a greatest value of its own, so the store needs it as a figure. */
const derived = ROLLED_UP.filter(({ expression }) => !SAMPLE_COLUMN_NAMES.some((column) => column === expression));

export const SHIPPED_FIGURES: readonly ShippedFigure[] = [
  { name: REPORTED, expression: '1' },
  ...SAMPLE_COLUMN_NAMES.map((column) => ({ name: column, expression: column })),
  ...derived.map(({ column, expression }) => ({ name: column, expression })),
];

/** Returns the name that a figure of a chart has in the store. */
export const shippedName = (expression: string): string =>
  SHIPPED_FIGURES.find((figure) => figure.expression === expression)?.name ?? expression;

/** One sample of a server as it is sent. */
export interface ShippedSample {
  serverId: string;
  /** Tenant of the server in the store. */
  tenant: number;
  /** Epoch ms, whole. */
  at: number;
  /** In the order of SHIPPED_FIGURES; null: unknown, or the store has it. */
  values: readonly (number | null)[];
}
