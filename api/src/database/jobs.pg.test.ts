import { expect, it, vi } from 'vitest';
import { describeEachPostgres } from '../testing/postgres.ts';
import { Scheduler } from '../jobs/scheduler.ts';
import { storageJobs } from './jobs.ts';

const RUN = { version: '0.1.0', jobs: () => [{ name: 'rollup', lastSuccessAt: 1, lastFailureAt: null }] };

describeEachPostgres('storage jobs', (db) => {
  it('run at start and leave partitions, a trace of this run and no error', async () => {
    const error = vi.fn<() => void>();
    const scheduler = new Scheduler({
      jobs: storageJobs(db.storage().maintenance, RUN),
      clock: { now: () => Date.now() },
      log: { debug() {}, error },
    });
    await scheduler.start();
    await scheduler.stop();
    expect(error).not.toHaveBeenCalled();
    const partitions = await db.sql("SELECT 1 FROM pg_inherits WHERE inhparent = 'host_sample'::regclass");
    expect(partitions.length).toBeGreaterThan(8);
    expect(await db.sql('SELECT 1 FROM api_uptime')).toHaveLength(1);
  });

  it('keep one trace a run with its version and its jobs, moved on each time', async () => {
    const presence = storageJobs(db.storage().maintenance, RUN).find(({ name }) => name === 'presence');
    const before = await db.sql('SELECT 1 FROM api_uptime');
    const now = Date.now();
    await presence?.run(now);
    await presence?.run(now + 60_000);
    const rows = await db.sql('SELECT seen_at, version, jobs FROM api_uptime ORDER BY seen_at');
    expect(rows).toHaveLength(before.length + 1);
    expect(rows.at(-1)).toEqual({ seen_at: new Date(now + 60_000), version: '0.1.0', jobs: RUN.jobs() });
  });
});
