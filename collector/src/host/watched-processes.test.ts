import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ProcessSeen } from './tables/process-list.ts';
import { watchedProcessSource } from './watched-processes.ts';

const NOW = { ts: 0, up: 100 };
const process = (name: string, state = 'S'): ProcessSeen => ({
  pid: 7,
  startTicks: 1,
  name,
  state,
  cpuTicks: 0,
  threads: 1,
  residentPages: 10,
  cpuPercent: 0,
});
const read = async (names: string[], seen: ProcessSeen[], hidden: string | null = null) =>
  watchedProcessSource(
    names,
    () => seen,
    () => hidden,
  ).read(NOW);

it('counts the processes of each name, and a zombie is none', async () => {
  const seen = [process('nginx'), process('nginx'), process('backup', 'Z'), process('plimsoll')];
  expect((await read(['nginx', 'backup'], seen)).part.watched_processes).toEqual([
    { name: 'nginx', running: 2 },
    { name: 'backup', running: 0 },
  ]);
});

it('finds a name longer than the kernel keeps', async () => {
  const { part } = await read(['postgres-exporter-main'], [process('postgres-export')]);
  expect(part.watched_processes).toEqual([{ name: 'postgres-exporter-main', running: 1 }]);
});

it('does not call a process absent that this user may not see', async () => {
  const taken = await read(['nginx', 'plimsoll'], [process('plimsoll')], 'hidden by hidepid');
  expect(taken).toEqual({ part: { watched_processes: [{ name: 'plimsoll', running: 1 }] }, note: 'hidden by hidepid' });
});

it('fails where no process was read, so that nothing looks absent', async () => {
  await expect(read(['nginx'], [])).rejects.toThrow('read nothing');
});

it('counts each process once, whatever the names', async () => {
  const names = fc.array(fc.string({ maxLength: 15 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(names, async (all) => {
      const watched = [...new Set(all)];
      const { part } = await read(
        watched,
        all.map((name) => process(name)),
      );
      expect(part.watched_processes?.reduce((sum, { running }) => sum + running, 0)).toBe(all.length);
    }),
  );
});
