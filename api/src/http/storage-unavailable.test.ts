import { describe, expect, test } from 'vitest';
import { requireWritable } from '../database/open-client.ts';
import { isStorageUnavailable, StorageFailures } from './storage-unavailable.ts';

const errorWith = (fields: object, message = 'x'): Error => Object.assign(new Error(message), fields);

describe('a database that is not available', () => {
  test.each([
    ['08006', { code: '08006' }],
    ['no room on the disk', { code: '53100' }],
    ['too many connections', { code: '53300' }],
    ['shutting down', { code: '57P01' }],
    ['starting up', { code: '57P03' }],
    ['an I/O error', { code: '58030' }],
    ['a read-only standby', { code: '25006' }],
    ['nothing listens', { code: 'ECONNREFUSED', syscall: 'connect' }],
    ['the connection breaks', { code: 'ECONNRESET', syscall: 'read' }],
    ['no socket', { code: 'ENOENT', syscall: 'connect' }],
    ['Prisma, no socket', { name: 'PrismaClientKnownRequestError', code: 'ENOENT' }],
    ['Prisma, not reachable', { code: 'P1001' }],
    ['Prisma at start', { errorCode: 'P1017' }],
    ['Prisma, pool', { code: 'P2024' }],
    [
      'Prisma around the driver',
      {
        name: 'PrismaClientKnownRequestError',
        code: 'P2010',
        meta: { driverAdapterError: { cause: { originalCode: '53100' } } },
      },
    ],
    ['the driver of Prisma', { name: 'DriverAdapterError', cause: { originalCode: '57P03' } }],
  ])('%s', (_name, fields) => {
    const error = errorWith(fields);
    if ('meta' in fields) Object.assign(fields.meta.driverAdapterError, { name: 'DriverAdapterError' });
    expect(isStorageUnavailable(error)).toBe(true);
  });

  test.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Invalid `prisma.session.findFirst()` invocation:\n\n\nConnection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
  ])('%s', (message) => {
    expect(isStorageUnavailable(new Error(message))).toBe(true);
  });

  test('every host is a standby, until one is promoted', async () => {
    const standby = { query: () => Promise.resolve({ rows: [{ standby: true }] }) };
    const error = await requireWritable(standby as unknown as Parameters<typeof requireWritable>[0]).catch(
      (thrown: unknown) => thrown,
    );
    expect(isStorageUnavailable(error)).toBe(true);
  });

  test('a name of several addresses, none of which answers', () => {
    const refused = errorWith({ code: 'ECONNREFUSED', syscall: 'connect' });
    expect(isStorageUnavailable(Object.assign(new AggregateError([refused, refused]), { code: 'ECONNREFUSED' }))).toBe(
      true,
    );
  });
});

describe('any other error stays what it is', () => {
  test.each([
    ['a constraint', errorWith({ code: '23505' })],
    ['a statement cancelled for its length', errorWith({ code: '57014' })],
    ['a syntax error', errorWith({ code: '42601' })],
    ['a missing file', errorWith({ code: 'ENOENT', syscall: 'open' })],
    [
      'another service that refuses',
      new TypeError('fetch failed', { cause: errorWith({ code: 'ECONNREFUSED', syscall: 'connect' }) }),
    ],
    ['Prisma, unique', errorWith({ name: 'PrismaClientKnownRequestError', code: 'P2002' })],
    ['no error at all', null],
    ['a text', '53100'],
  ])('%s', (_name, error) => {
    expect(isStorageUnavailable(error)).toBe(false);
  });
});

describe('the answer and the log', () => {
  const context = { requestId: 'r', route: '/x' };
  const full = errorWith({ code: '53100' }, 'could not extend file');

  test('Retry-After is 5 to 30 seconds', () => {
    const clock = { now: () => 0 };
    const secondsAt = (random: number) =>
      new StorageFailures({ error() {} }, clock, () => random).explain(full, context)?.retryAfterSeconds;
    expect([0, 0.5, 0.999_999].map(secondsAt)).toEqual([5, 18, 30]);
  });

  test.each([
    ['a statement that takes too long', { code: '57014' }],
    ['a lock that is not free in time', { code: '55P03' }],
    ['a deadlock', { code: '40P01' }],
    [
      'a deadlock under Prisma',
      { name: 'PrismaClientKnownRequestError', code: 'P2010', cause: { originalCode: '40P01' } },
    ],
  ])('%s is worth another try', (_name, fields) => {
    const failures = new StorageFailures({ error() {} }, { now: () => 0 }, () => 0);
    expect(failures.explain(errorWith(fields), context)).toMatchObject({ code: 'took_too_long', retryAfterSeconds: 5 });
  });

  test('one line a second, with the number of those left out', () => {
    const lines: object[] = [];
    let now = 0;
    const log = { error: (line: object) => void lines.push(line) } as unknown as ConstructorParameters<
      typeof StorageFailures
    >[0];
    const failures = new StorageFailures(log, { now: () => now });
    for (let i = 0; i < 1000; i += 1) failures.explain(full, context);
    now = 999;
    failures.explain(full, context);
    now = 1000;
    failures.explain(full, context);
    expect(lines).toEqual([
      { reason: 'could not extend file', ...context, suppressed: 0 },
      { reason: 'could not extend file', ...context, suppressed: 1000 },
    ]);
    expect(failures.explain(errorWith({ code: '23505' }), context)).toBeNull();
    expect(lines).toHaveLength(2);
  });
});
