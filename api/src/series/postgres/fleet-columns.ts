import type { RolledUpFigure } from '../rolled-up-figures.ts';

/** The figures that a statement reads: a chart of the host needs no connections, one of the network no CPU. */
export type Figures = readonly RolledUpFigure[];

const BAND = ['avg', 'min', 'max'] as const;
const isBand = ({ keeps }: RolledUpFigure): boolean => keeps === 'band';

/** Mean of means, each by how many samples it stands for. */
export const weighted = (name: string, count: string): string =>
  `sum(${name}::double precision * ${count}) / NULLIF(sum(${count}), 0)`;

const distinctCounts = (figures: Figures): RolledUpFigure['count'][] => [
  ...new Map(figures.map(({ count }) => [count.column, count])).values(),
];
/** Columns of a rollup row but its counts. */
const valueColumns = (figure: RolledUpFigure): string[] =>
  isBand(figure) ? BAND.map((end) => `${figure.column}_${end}`) : [`${figure.column}_avg`];

/** Columns of rollup rows. */
export const rollupColumns = (figures: Figures): string[] => [
  ...distinctCounts(figures).map(({ column }) => column),
  ...figures.flatMap(valueColumns),
];

/** Column and expression of each figure of a rollup row, over the samples of its bucket. */
export const rolledUpColumns = (figures: Figures): [string, string][] => [
  ...distinctCounts(figures).map(({ column, expression }): [string, string] => [
    column,
    `count(${expression})::integer`,
  ]),
  ...figures.flatMap((figure): [string, string][] => {
    const { column, expression } = figure;
    const mean: [string, string] = [`${column}_avg`, `avg(${expression})::real`];
    if (!isBand(figure)) return [mean];
    return [mean, [`${column}_min`, `min(${expression})`], [`${column}_max`, `max(${expression})`]];
  }),
];

/** Single samples in the shape of rollup rows. */
export const sampleColumns = (figures: Figures): string[] => [
  ...distinctCounts(figures).map(({ column, expression }) => `(${expression} IS NOT NULL)::integer AS ${column}`),
  ...figures.flatMap((figure) =>
    valueColumns(figure).map((column) => `${figure.expression}${isBand(figure) ? '' : '::real'} AS ${column}`),
  ),
];

/** First step, within each server: rollup rows (or samples in their shape) of one bucket become one. */
export const perServerColumns = (figures: Figures): string[] =>
  figures.flatMap((figure) => {
    const { column, count } = figure;
    const mean = weighted(`${column}_avg`, count.column);
    if (!isBand(figure)) return [`${mean} AS ${column}`];
    return [`${mean} AS ${column}_avg`, `min(${column}_min) AS ${column}_min`, `max(${column}_max) AS ${column}_max`];
  });

/** The same of a rollup row that is a whole bucket. */
export const storedColumns = (figures: Figures): string[] =>
  figures.flatMap((figure) =>
    isBand(figure) ? valueColumns(figure) : [`${figure.column}_avg::double precision AS ${figure.column}`],
  );

export const topColumn = ({ column }: RolledUpFigure): string => `${column}_top`;
/** Above every key of a server, which is a positive integer. */
const KEYS = 2_147_483_648;
/** The key of the server with the highest value: one number holds value and key, so that one max finds both. */
const topOf = ({ column }: RolledUpFigure): string =>
  `(max((LEAST(${column}_max, 1000000)::double precision * 1000)::bigint * ${KEYS} + server_key) % ${KEYS})::integer`;

/** Second step, over the servers. */
export const overServersColumns = (figures: Figures): string[] => [
  ...figures.flatMap(valuesOverServers),
  ...figures.filter(({ keepsTop }) => keepsTop).map((figure) => `${topOf(figure)} AS ${topColumn(figure)}`),
];

function valuesOverServers(figure: RolledUpFigure): string[] {
  const { column } = figure;
  if (!isBand(figure)) return [`round(sum(${column})) AS ${column}`];
  if (figure.overServers === 'average')
    return [
      `avg(${column}_avg) AS ${column}_avg`,
      `min(${column}_min) AS ${column}_min`,
      `max(${column}_max) AS ${column}_max`,
    ];
  return [
    `sum(${column}_avg) AS ${column}_avg`,
    `sum(${column}_min::double precision) AS ${column}_min`,
    `sum(${column}_max::double precision) AS ${column}_max`,
  ];
}

/** The names the second step ends with. */
export const fleetColumns = (figures: Figures): string[] => [
  ...figures.flatMap((figure) => (isBand(figure) ? valueColumns(figure) : [figure.column])),
  ...figures.filter(({ keepsTop }) => keepsTop).map(topColumn),
];
