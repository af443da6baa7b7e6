import { afterEach, expect, it, vi } from 'vitest';
import { describeEachPostgres } from '../testing/postgres.ts';
import type { Storage } from '../storage.ts';
import { createPostgresStorage } from '../postgres-storage.ts';

const SOON = { timeout: 30_000, interval: 20 };

describeEachPostgres('messages between processes on one database', (db) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  /** Another process of the same API: its own storage, and every message that it receives. */
  const process = async () => {
    const storage: Storage = createPostgresStorage({ connection: db.connection() });
    closing.push(() => storage.close());
    const heard: string[] = [];
    let gaps = 0;
    const stop = await storage.broadcast.listen({
      onMessage: (text) => heard.push(text),
      onGap: () => {
        gaps += 1;
      },
    });
    closing.push(stop);
    return { heard, stop, gaps: () => gaps, send: (text: string) => storage.broadcast.send(text) };
  };
  const cutListeners = () =>
    db.sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'plimsoll listen' AND datname = current_database()`);
  const listeners = async () =>
    (
      await db.sql(
        `SELECT FROM pg_stat_activity WHERE application_name = 'plimsoll listen' AND datname = current_database()`,
      )
    ).length;

  it('reach every other process in the order they were sent, and never the sender', async () => {
    const [one, two, three] = [await process(), await process(), await process()];
    for (const text of ['a', 'b', 'c']) await one.send(text);
    await two.send('d');
    await vi.waitFor(() => expect(three.heard).toHaveLength(4), SOON);
    expect(three.heard).toEqual(['a', 'b', 'c', 'd']);
    await vi.waitFor(() => expect(two.heard).toEqual(['a', 'b', 'c']), SOON);
    await vi.waitFor(() => expect(one.heard).toEqual(['d']), SOON);
  });

  it('of any text come as they were sent, up to what fits into one', async () => {
    const [one, two] = [await process(), await process()];
    const texts = ['', '{"topic":"servers"}', "quo'te", 'ünï\u{1f600}', 'x'.repeat(7900)];
    for (const text of texts) await one.send(text);
    await vi.waitFor(() => expect(two.heard).toEqual(texts), SOON);
    await expect(one.send('x'.repeat(8000))).rejects.toThrow('payload string too long');
  });

  it('are heard again after the connection broke, and the gap is told', async () => {
    const [one, two] = [await process(), await process()];
    await cutListeners();
    await vi.waitFor(() => expect([one.gaps(), two.gaps()]).toEqual([1, 1]), SOON);
    await one.send('after');
    await vi.waitFor(() => expect(two.heard).toEqual(['after']), SOON);
    await vi.waitFor(async () => expect(await listeners()).toBe(2), SOON);
  });

  it('are not listened for any more once stopped, not even after a break', async () => {
    const [one, two] = [await process(), await process()];
    await cutListeners();
    await two.stop();
    await vi.waitFor(() => expect(one.gaps()).toBe(1), SOON);
    await vi.waitFor(async () => expect(await listeners()).toBe(1), SOON);
    expect([two.gaps(), two.heard]).toEqual([0, []]);
  });
});
