import { REDACTED } from '@plimsoll/contract/redaction/shapes';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ReadThread, THREAD_LIMITS, type ThreadLimits } from './read-thread.ts';

const SERVER = '00000000-0000-4000-8000-000000000000';
const NOW = 1_790_000_000_000;

const processOf = (command: string) => ({
  pid: 1,
  name: 'mysql',
  command,
  user: 'root',
  status: 'S',
  cpu_percent: 1,
  memory_percent: 1,
  memory_bytes: 1,
  threads: 1,
  started_at: 1,
});
const jobOf = (commands: readonly string[], more: Record<string, unknown> = {}) => {
  const item = { seq: 1, ts: NOW / 1000, up: 10, kind: 'host', window_seconds: 60, processes: commands.map(processOf) };
  const head = { v: 1, server_id: SERVER, stream_id: '0'.repeat(32), boot_id: 'b', sent_at: NOW / 1000, up_now: 10 };
  const wire = gzipSync(JSON.stringify({ ...head, reports: [item], ...more }));
  return { wire, isGzip: true, serverId: SERVER, receivedAt: NOW, knownSkewSeconds: null };
};

const threadOf = (limits: Partial<ThreadLimits> = {}, file?: URL): ReadThread => {
  const thread = new ReadThread({ ...THREAD_LIMITS, ...limits }, file);
  onTestFinished(() => thread.close());
  return thread;
};
/** A thread that runs this instead: `reply` answers a request. */
const script = (onRequest: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`import { parentPort } from 'node:worker_threads';
      const reply = (head) => parentPort.postMessage({ outcome: 'read', head, items: [] });
      parentPort.on('message', ({ job }) => { ${onRequest} });`)}`,
  );
const BUSY = { code: 'overloaded', retryAfterSeconds: 10 };

describe('the thread', () => {
  test('judges and redacts the items of a report', async () => {
    const { head, items } = await threadOf().read('report', jobOf(['mysql -pSecret1 db', 'mysql db']), SERVER);
    expect(head).toMatchObject({ streamId: '0'.repeat(32), rejected: [], withheld: 0 });
    expect(items[0]).toMatchObject({ seq: 1, sampleAt: NOW, contentHash: expect.any(Buffer) as unknown });
    const commands = items[0]?.report.processes?.map(({ command }) => command);
    expect(commands).toEqual([`mysql -p${REDACTED} db`, 'mysql db']);
  });

  test('withholds what exceeds the budget of a request', async () => {
    const commands = Array.from({ length: 200 }, (_, index) => `mysql -pSecret1 ${String(index)} ${'x'.repeat(490)}`);
    const items = Array.from({ length: 10 }, (_, index) => ({
      seq: index + 1,
      ts: NOW / 1000,
      up: 10,
      kind: 'host',
      window_seconds: 60,
      processes: commands.map((command) => processOf(`${command.slice(0, 500)}${String(index)}`)),
    }));
    const { head, items: read } = await threadOf().read('report', jobOf([], { reports: items }), SERVER);
    const stored = read.flatMap(({ report }) => report.processes?.map(({ command }) => command) ?? []);
    expect(stored).toHaveLength(2000);
    expect(head.withheld).toBe(stored.filter((command) => command === 'mysql').length);
    expect(head.withheld).toBeGreaterThan(0);
    expect(stored.join()).not.toContain('Secret1');
  });

  test('refuses more events than the database stores in one statement, so that the sender halves the request', async () => {
    const reportsOf = (count: number) =>
      Array.from({ length: count }, (_, report) => ({
        seq: report + 1,
        ts: NOW / 1000,
        up: 10,
        kind: 'host',
        window_seconds: 60,
        events: Array.from({ length: 500 }, (_unused, index) => ({
          event_type: 'process_start',
          service_name: null,
          process_name: null,
          severity: 'info',
          ts: NOW / 1000,
          id: `${String(report)}-${String(index)}`,
          message: 'started',
        })),
      }));
    const thread = threadOf();
    await expect(thread.read('report', jobOf([], { reports: reportsOf(11) }), SERVER)).rejects.toMatchObject({
      code: 'body_too_large',
      field: 'reports',
    });
    expect((await thread.read('report', jobOf([], { reports: reportsOf(10) }), SERVER)).items).toHaveLength(10);
  });

  test.each([
    ['not gzip', { ...jobOf([]), wire: Buffer.from('x') }, { code: 'invalid_gzip' }],
    ['no JSON', { ...jobOf([]), wire: gzipSync('{') }, { code: 'invalid_json' }],
    ['a bomb', { ...jobOf([]), wire: gzipSync(Buffer.alloc(9_000_000)) }, { code: 'body_too_large' }],
    ['of another server', { ...jobOf([]), serverId: 'x' }, { code: 'server_mismatch', field: 'server_id' }],
  ])('refuses a body that is %s with the error of the API', async (_name, job, error) => {
    await expect(threadOf().read('report', job, SERVER)).rejects.toMatchObject(error);
  });
});

describe('a thread that dies', () => {
  const CRASH = script(
    `if (job.serverId === 'crash') throw new Error('out of luck'); reply({ withheld: job.receivedAt });`,
  );

  test('refuses the request it was reading; those that wait are read by the next thread', async () => {
    const thread = threadOf({}, CRASH);
    const results = await Promise.allSettled([
      thread.read('report', { ...jobOf([]), serverId: 'crash' }, 'a'),
      thread.read('report', { ...jobOf([]), receivedAt: 2 }, 'b'),
      thread.read('report', { ...jobOf([]), serverId: 'crash' }, 'c'),
      thread.read('report', { ...jobOf([]), receivedAt: 4 }, 'd'),
    ]);
    expect(results).toMatchObject([
      { status: 'rejected', reason: BUSY },
      { value: { head: { withheld: 2 } } },
      { status: 'rejected', reason: BUSY },
      { value: { head: { withheld: 4 } } },
    ]);
  });

  test('is ended when a request takes longer than the limit', async () => {
    const thread = threadOf({ timeoutMs: 1 }, script(''));
    await expect(thread.read('report', jobOf([]), 'a')).rejects.toMatchObject(BUSY);
    await expect(thread.read('report', jobOf([]), 'a')).rejects.toMatchObject(BUSY);
  });
});

test('a thread for bodies that are repeated for ever refuses one that ends it as too large', async () => {
  const thread = threadOf({ refusesForGood: true }, script('process.exit(1)'));
  await expect(thread.read('report', jobOf([]), 'a')).rejects.toMatchObject({ code: 'body_too_large' });
});

describe('the queue', () => {
  test('reads the requests of the senders in turn', async () => {
    const thread = threadOf({ ofSender: 3 }, script('reply({ withheld: job.receivedAt });'));
    const order: number[] = [];
    const read = (at: number, sender: string) =>
      thread.read('report', { ...jobOf([]), receivedAt: at }, sender).then(({ head }) => order.push(head.withheld));
    await Promise.all([read(1, 'flood'), read(2, 'flood'), read(3, 'flood'), read(4, 'other')]);
    expect(order).toEqual([1, 4, 2, 3]);
  });

  test('takes one request of a sender, and so many in all', async () => {
    const thread = threadOf({ waiting: 1 }, script(''));
    const reading = thread.read('report', jobOf([]), 'a');
    const waiting = thread.read('report', jobOf([]), 'b');
    await expect(thread.read('report', jobOf([]), 'a')).rejects.toMatchObject(BUSY);
    await expect(thread.read('report', jobOf([]), 'b')).rejects.toMatchObject(BUSY);
    await expect(thread.read('report', jobOf([]), 'c')).rejects.toMatchObject(BUSY);
    const both = Promise.allSettled([reading, waiting]);
    await thread.close();
    expect(await both).toMatchObject([{ reason: BUSY }, { reason: BUSY }]);
  });
});
