import { HOUR_SECONDS, MINUTE_SECONDS } from '@plimsoll/contract/rules/durations';
import { Pool } from 'pg';
import { TREND_STEP_SECONDS } from '@plimsoll/contract/rules/host-metrics/disk-forecast';
import type { Connection } from '../../api/src/database/connection.ts';
import { clientConfigOf } from '../../api/src/database/connection.ts';
import { ROLLED_UP } from '../../api/src/series/rolled-up-figures.ts';
import { figuresOf, SAMPLE_COLUMN_NAMES, SAMPLE_COLUMNS } from '../../api/src/series/stored-figures.ts';
import { CONTAINER_HISTORY } from '@plimsoll/contract/rules/limits';
import type { Report } from '@plimsoll/contract/wire/report';
import { containersAt } from './containers.ts';
import { figuresAt } from './figures.ts';
import { measuredParts } from './host-report.ts';
import type { Machine } from './machines.ts';
import type { Stories } from './stories.ts';
import type { OrganisationId } from '../../api/src/tenancy/ids.ts';

// SQL because two weeks of a fleet cannot arrive report by report within seconds.

const STEP = 300;

interface Range {
  /** Epoch seconds; `to` is exclusive. */
  from: number;
  to: number;
}
interface Keyed {
  machine: Machine;
  key: number;
}

const numbers = (values: readonly (number | null)[]): string =>
  `{${values.map((value) => (value === null ? 'NULL' : String(Math.fround(value)))).join(',')}}`;
const times = ({ from, to }: Range, step: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((to - from) / step)) }, (_, index) => from + index * step);

/** `unnest` of the stored figures: $1 server key, $2 times, then an array for each column. */
const UNNESTED = SAMPLE_COLUMN_NAMES.map((column, index) => `$${String(index + 3)}::${SAMPLE_COLUMNS[column]}[]`);
const ROWS = `unnest($2::double precision[], ${UNNESTED.join(', ')}) AS r(at, ${SAMPLE_COLUMN_NAMES.join(', ')})`;

/** A disk and the memory change too little in five minutes to have a spread. */
const hasSpread = (column: string): boolean => !['memory', 'swap', 'disk'].includes(column);

/** A single sample stands for the five minutes that begin with it: their spread is a tenth around it. */
const rolledColumns = ROLLED_UP.flatMap(({ column, keeps, expression }) =>
  keeps === 'mean'
    ? [{ name: `${column}_avg`, value: `(${expression})` }]
    : [
        { name: `${column}_count`, value: `CASE WHEN (${expression}) IS NULL THEN 0 ELSE 5 END` },
        { name: `${column}_avg`, value: `(${expression})` },
        { name: `${column}_min`, value: hasSpread(column) ? `(${expression}) * 0.94` : `(${expression})` },
        {
          name: `${column}_max`,
          value: hasSpread(column)
            ? `least((${expression}) * 1.06, greatest((${expression}), 100))`
            : `(${expression})`,
        },
      ],
);

const INSERT_SAMPLES = `INSERT INTO host_sample (ts, server_key, ${SAMPLE_COLUMN_NAMES.join(', ')})
  SELECT to_timestamp(at), $1, ${SAMPLE_COLUMN_NAMES.join(', ')} FROM ${ROWS} ON CONFLICT DO NOTHING`;
const INSERT_FIVE_MINUTES = `INSERT INTO host_rollup_5m (ts, server_key, samples, connections_count, ${rolledColumns.map(({ name }) => name).join(', ')})
  SELECT to_timestamp(at), $1, 5, 5, ${rolledColumns.map(({ value }) => value).join(', ')} FROM ${ROWS} ON CONFLICT DO NOTHING`;

const hourly = rolledColumns.map(({ name }) =>
  name.endsWith('_count')
    ? `sum(${name})`
    : name.endsWith('_min')
      ? `min(${name})`
      : name.endsWith('_max')
        ? `max(${name})`
        : `avg(${name})`,
);
const INSERT_HOURS = `INSERT INTO host_rollup_1h (ts, server_key, samples, connections_count, ${rolledColumns.map(({ name }) => name).join(', ')})
  SELECT date_trunc('hour', ts), server_key, sum(samples), sum(connections_count), ${hourly.join(', ')}
  FROM host_rollup_5m WHERE ts >= to_timestamp($1) AND ts < to_timestamp($2) GROUP BY 1, 2 ON CONFLICT DO NOTHING`;
const MARK_DUE = `INSERT INTO fleet_rollup_due (organisation_id, level, ts)
  SELECT $1, $2, ts FROM generate_series(to_timestamp($3), to_timestamp($4) - make_interval(secs => $5), make_interval(secs => $5)) ts
  ON CONFLICT DO NOTHING`;
const PROGRESS = `INSERT INTO rollup_progress (level, complete_to, scanned_to) VALUES ('5m', to_timestamp($1), to_timestamp($3)), ('1h', to_timestamp($2), to_timestamp($3))
  ON CONFLICT (level) DO UPDATE SET complete_to = excluded.complete_to, scanned_to = excluded.scanned_to`;
const INSERT_FILESYSTEMS = `INSERT INTO filesystem_history (ts, server_key, mounts, used_bytes)
  SELECT to_timestamp(at), $1, ARRAY[$2::text], ARRAY[used] FROM unnest($3::double precision[], $4::real[]) r(at, used) ON CONFLICT DO NOTHING`;

const INSERT_CONTAINERS = `INSERT INTO container_history (ts, server_key, ids, cpu_percent, memory_bytes)
  SELECT to_timestamp($2), $1, ids, cpu, memory FROM (SELECT array_agg(id ORDER BY id) AS ids, array_agg(cpu ORDER BY id) AS cpu,
    array_agg(memory ORDER BY id) AS memory FROM unnest($3::text[], $4::real[], $5::real[]) r(id, cpu, memory)) one
  ON CONFLICT DO NOTHING`;

/** The history of the fleet, written past the front door into the tables of the series. */
export interface History {
  /** The use of every filesystem each half hour, for the forecast. */
  addFilesystems(range: Range): Promise<void>;
  /** CPU and memory of every container each quarter of an hour of the range. */
  addContainers(range: Range): Promise<void>;
  /** Five-minute rollups and their hours. Both ends on the hour. */
  addRollups(range: Range): Promise<void>;
  /** One sample a minute. */
  addSamples(range: Range): Promise<void>;
  /** The rollups of everything before are complete. */
  setProgress(at: number): Promise<void>;
  close(): Promise<void>;
}

async function keyedMachines(
  pool: Pool,
  organisationId: OrganisationId,
  machines: readonly Machine[],
): Promise<Keyed[]> {
  const { rows } = await pool.query<{ id: string; key: number }>(
    'SELECT id, key FROM server WHERE organisation_id = $1',
    [organisationId],
  );
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  return machines.flatMap((machine) => {
    const key = keys.get(machine.serverId);
    return key === undefined ? [] : [{ machine, key }];
  });
}

/** Two hosts at once: while the database inserts one, the next is computed. */
async function forEachHost(hosts: readonly Keyed[], add: (one: Keyed) => Promise<void>): Promise<void> {
  const waiting = [...hosts];
  const worker = async (): Promise<void> => {
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) await add(one);
  };
  await Promise.all([worker(), worker()]);
}

export async function createHistory(
  connection: Connection,
  {
    organisationId,
    machines,
    stories,
  }: { organisationId: OrganisationId; machines: readonly Machine[]; stories: Stories },
): Promise<History> {
  const pool = new Pool({ ...clientConfigOf(connection), max: 2, application_name: 'plimsoll-demo' });
  const hosts = await keyedMachines(pool, organisationId, machines);

  const columnsOf = ({ machine }: Keyed, moments: readonly number[]) => {
    const found = moments.flatMap((at) => {
      const figures = figuresAt(machine.host, at, stories);
      return figures === null ? [] : [{ at, parts: measuredParts(machine.host, figures) as unknown as Report }];
    });
    const samples = found.map(({ parts }) => figuresOf(parts));
    return {
      values: SAMPLE_COLUMN_NAMES.map((column) => numbers(samples.map((one) => one[column]))),
      moments: found.map(({ at }) => at),
    };
  };
  const each = (add: (one: Keyed) => Promise<void>): Promise<void> => forEachHost(hosts, add);
  // Times need all their digits, unlike the figures.
  const timesText = (moments: readonly number[]): string => `{${moments.join(',')}}`;

  return {
    addFilesystems: (range) =>
      each(async ({ machine, key }) => {
        const found = times(range, TREND_STEP_SECONDS).flatMap((at) => {
          const figures = figuresAt(machine.host, at, stories);
          const [filesystem] = figures === null ? [] : measuredParts(machine.host, figures).filesystems;
          return filesystem === undefined ? [] : [{ at, filesystem }];
        });
        await pool.query(INSERT_FILESYSTEMS, [
          key,
          found[0]?.filesystem.mount ?? '/',
          timesText(found.map(({ at }) => at)),
          numbers(found.map(({ filesystem }) => filesystem.used_bytes)),
        ]);
      }),
    addContainers: (range) =>
      each(async ({ machine: { host }, key }) => {
        for (const at of times(range, CONTAINER_HISTORY.stepSeconds)) {
          const figures = figuresAt(host, at, stories);
          const containers = figures === null ? undefined : containersAt(host, at, figures, stories.now);
          if (containers === undefined) continue;
          await pool.query(INSERT_CONTAINERS, [
            key,
            at,
            containers.map(({ id }) => id),
            containers.map(({ cpu_percent: cpu }) => cpu),
            containers.map(({ memory_bytes: memory }) => memory),
          ]);
        }
      }),
    addRollups: async (range) => {
      await each(async (one) => {
        const { values, moments } = columnsOf(one, times(range, STEP));
        await pool.query(INSERT_FIVE_MINUTES, [one.key, timesText(moments), ...values]);
      });
      await pool.query(INSERT_HOURS, [range.from, range.to]);
      for (const [level, seconds] of [
        ['5m', STEP],
        ['1h', HOUR_SECONDS],
      ] as const)
        await pool.query(MARK_DUE, [organisationId, level, range.from, range.to, seconds]);
    },
    addSamples: (range) =>
      each(async (one) => {
        const { values, moments } = columnsOf(one, times(range, MINUTE_SECONDS));
        await pool.query(INSERT_SAMPLES, [one.key, timesText(moments), ...values]);
      }),
    setProgress: async (at) => {
      await pool.query(PROGRESS, [Math.floor(at / STEP) * STEP, Math.floor(at / HOUR_SECONDS) * HOUR_SECONDS, at]);
    },
    close: () => pool.end(),
  };
}
