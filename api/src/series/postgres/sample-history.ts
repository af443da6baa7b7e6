// SQL reads samples: the table is partitioned and a page must cost one scan of its index.
import type { SampleHistory } from '../store.ts';
import type { Database } from '../../database/database.ts';
import { SAMPLE_COLUMN_NAMES, sampleOf } from '../stored-figures.ts';
import type { SampleFigures } from '../stored-figures.ts';

const RANGE = `FROM host_sample
  WHERE server_key = $1 AND ts >= to_timestamp($2::double precision / 1000) AND ts < to_timestamp($3::double precision / 1000)`;
const LIST = `SELECT (extract(epoch FROM ts) * 1000)::double precision AS at, ${SAMPLE_COLUMN_NAMES.join(', ')}
  ${RANGE} ORDER BY ts DESC LIMIT $4 OFFSET $5`;
const COUNT = `SELECT count(*)::integer AS total ${RANGE}`;

export const createSampleHistory = ({ pool }: Database): SampleHistory => ({
  listSamples: async ({ server }, { from, to }, { limit, offset }) => {
    const range = [server.key, from, to];
    const [{ rows }, { rows: counted }] = await Promise.all([
      pool.query<SampleFigures & { at: number }>(LIST, [...range, limit, offset]),
      pool.query<{ total: number }>(COUNT, range),
    ]);
    return { samples: rows.map(sampleOf), total: counted[0]?.total ?? 0 };
  },
});
