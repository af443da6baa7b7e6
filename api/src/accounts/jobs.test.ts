import { expect, test, vi } from 'vitest';
import type { Storage } from '../storage.ts';
import { accountJobs } from './jobs.ts';

const NOW = 1_770_000_000_000;

const setup = (due: string[], broken: string[] = []) => {
  const gone: string[] = [];
  const accountDeletion = {
    listDue: vi.fn<(now: number) => Promise<string[]>>().mockResolvedValue(due),
    serverKeys: (personId: string) => Promise.resolve(personId === 'b' ? [7, 8] : []),
    delete: vi.fn<(personId: string) => Promise<void>>(async (personId) => {
      await Promise.resolve();
      if (broken.includes(personId)) throw new Error(`${personId} cannot be deleted`);
      gone.push(personId);
    }),
  };
  const retention = { prune: vi.fn<() => Promise<Record<string, number>>>().mockResolvedValue({}) };
  const purged: number[] = [];
  const servers = { purge: (key: number) => Promise.resolve(void purged.push(key)) };
  const jobs = accountJobs({ servers, identity: { accountDeletion, retention } } as unknown as Storage, 'free');
  const run = (name: string) => jobs.find((job) => job.name === name)!.run(NOW);
  return { accountDeletion, purged, retention, gone, run };
};

test('accounts whose day has come are deleted, and it is said how many', async () => {
  const { run, gone, purged, accountDeletion } = setup(['a', 'b']);
  expect(await run('delete-accounts')).toEqual({ deleted: 2 });
  expect(gone).toEqual(['a', 'b']);
  expect(purged).toEqual([7, 8]);
  expect(accountDeletion.listDue).toHaveBeenCalledWith(NOW);
});

test('one that cannot be deleted keeps no other waiting, and is told of', async () => {
  const { run, gone } = setup(['a', 'b', 'c'], ['a']);
  await expect(run('delete-accounts')).rejects.toThrow('1 of 3 accounts could not be deleted');
  expect(gone).toEqual(['b', 'c']);
});

test('nothing due and nothing pruned is not worth a line in the log', async () => {
  const { run, retention } = setup([]);
  expect(await run('delete-accounts')).toBeNull();
  expect(await run('prune-accounts')).toBeNull();
  retention.prune.mockResolvedValue({ samples: 3 });
  expect(await run('prune-accounts')).toEqual({ removed: { samples: 3 } });
  expect(retention.prune).toHaveBeenLastCalledWith(NOW, 14);
});
