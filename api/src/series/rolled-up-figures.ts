import { FIGURES, type Chart, type FigureName, type Rollup } from './stored-figures.ts';

/** A figure that is rolled up, and the SQL that reads it from a sample. */
export interface RolledUpFigure extends Rollup {
  name: FigureName;
  expression: string;
  /** Column with the number of known values, and the expression it counts. Means of one table share one. */
  count: { column: string; expression: string };
}
const CONNECTIONS_COUNT = { column: 'connections_count', expression: 'connections_total' };

export const ROLLED_UP: readonly RolledUpFigure[] = FIGURES.flatMap(([name, { expression, rollup }]) => {
  if (rollup === undefined) return [];
  const count = rollup.keeps === 'mean' ? CONNECTIONS_COUNT : { column: `${rollup.column}_count`, expression };
  return [{ name, expression, count, ...rollup }];
});
/** Column with the mean of a rollup, by the column of a sample that it is the mean of. */
export const ROLLED_UP_COLUMNS: Readonly<Record<string, string>> = Object.fromEntries(
  ROLLED_UP.map(({ column, expression }) => [expression, `${column}_avg`]),
);
/** Returns the rolled-up figures that one series call answers. */
export const figuresOfChart = (chart: Chart): readonly RolledUpFigure[] =>
  ROLLED_UP.filter((figure) => figure.chart === chart);
