import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesUnder } from '../../runtime/files.ts';
import { fakeFiles } from '../../testing/captured.ts';
import { temporaryFolder } from '../../testing/folder.ts';
import { containerSource } from '../containers.ts';
import type { ContainerRuntime, RuntimeContainer, RuntimeReading } from './container-runtime.ts';

const ID = 'a'.repeat(64);
const GONE = 'b'.repeat(64);
const TS = 1_795_000_000;

/** A host with one container of Docker in real folders, whose inodes change when it is started again. */
function host() {
  const root = temporaryFolder();
  const write = (path: string, text: string): void => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const group = `sys/fs/cgroup/system.slice/docker-${ID}.scope`;
  write('sys/fs/cgroup/cgroup.controllers', 'cpu memory\n');
  const start = (pid: number, startTicks: number): void => {
    write(`${group}/cgroup.procs`, `${pid}\n${pid + 1}\n`);
    write(`${group}/memory.events`, 'low 0\nhigh 0\nmax 12\noom 2\noom_kill 2\noom_group_kill 0\n');
    write(`${group}/memory.current`, '5000\n');
    const fields = Array.from({ length: 24 }, (_, index) => (index === 19 ? startTicks : 0));
    write(`proc/${pid}/stat`, `${pid} (nginx) S ${fields.slice(1).join(' ')}\n`);
  };
  /** The old folder stays elsewhere, so that the new one gets another inode. */
  const restart = (pid: number, startTicks: number): void => {
    renameSync(join(root, group), join(root, 'before'));
    start(pid, startTicks);
  };
  start(500, 4000);
  return { files: filesUnder(root), restart };
}

const known = (change: Partial<RuntimeContainer>): RuntimeContainer => ({
  id: ID,
  name: 'checkout-web',
  image: 'shop/web:4',
  project: 'shop',
  state: 'running',
  since: TS,
  exit_code: null,
  restarts: 0,
  ...change,
});
const runtimeOf = (...readings: RuntimeReading[]): ContainerRuntime => {
  let index = 0;
  return { read: async () => readings[Math.min(index++, readings.length - 1)] ?? { containers: [], problem: null } };
};
const at = (minutes: number) => ({ ts: TS + minutes * 60, up: 1000 + minutes * 60 });

it('shows without any rights that a container runs, since when, and its kills for memory', async () => {
  const { files } = host();
  const { part } = await containerSource(files).read(at(0));
  expect(part.containers).toMatchObject([
    { id: 'aaaaaaaaaaaa', state: 'running', since: TS - 1000 + 40, oom_kills: 2, memory_bytes: 5000 },
  ]);
  expect(part.containers?.[0]).not.toHaveProperty('restarts');
});

it('counts a new control group of the same container as a restart', async () => {
  const { files, restart } = host();
  const source = containerSource(files);
  await source.read(at(0));
  const { part: calm } = await source.read(at(1));
  expect(calm.containers?.[0]).not.toHaveProperty('restarts_last_hour');
  restart(600, 104_000);
  const { part } = await source.read(at(2));
  expect(part.containers).toMatchObject([{ restarts_last_hour: 1, since: TS - 1000 + 1040 }]);
});

it('adds what the runtime knows, and containers that do not run', async () => {
  const { files } = host();
  const gone = known({ id: GONE, name: 'etl', state: 'exited', since: TS - 60, exit_code: 137, oom_killed: true });
  const reading = { containers: [known({ state: 'unhealthy', restarts: 4 }), gone], problem: null };
  const { part } = await containerSource(files, runtimeOf(reading)).read(at(0));
  expect(part.containers).toEqual([
    expect.objectContaining({
      id: 'aaaaaaaaaaaa',
      name: 'checkout-web',
      image: 'shop/web:4',
      project: 'shop',
      runtime: 'docker',
      state: 'unhealthy',
      restarts: 4,
      memory_bytes: 5000,
    }),
    {
      id: 'bbbbbbbbbbbb',
      name: 'etl',
      image: 'shop/web:4',
      project: 'shop',
      runtime: null,
      cpu_percent: null,
      memory_bytes: null,
      memory_limit_bytes: null,
      state: 'exited',
      since: TS - 60,
      exit_code: 137,
      oom_killed: true,
      restarts: 0,
    },
  ]);
});

it('counts restarts by the runtime also while the container has no control group', async () => {
  const { files } = host();
  const loop = (restarts: number): RuntimeReading => ({
    containers: [known({ id: GONE, state: 'restarting', restarts })],
    problem: null,
  });
  const source = containerSource(files, runtimeOf(loop(3), loop(9)));
  await source.read(at(0));
  const { part } = await source.read(at(1));
  expect(part.containers?.[1]).toMatchObject({ state: 'restarting', restarts: 9, restarts_last_hour: 6 });
});

it('keeps the names, and no states, of a runtime that does not answer', async () => {
  const { files } = host();
  const containers = [known({ state: 'unhealthy' }), known({ id: GONE })];
  const { part, note } = await containerSource(files, runtimeOf({ containers, problem: 'no answer' })).read(at(0));
  expect(note).toBe('no answer');
  expect(part.containers).toMatchObject([{ name: 'checkout-web', project: 'shop', state: 'running' }]);
  expect(part.containers).toHaveLength(1);
});

it('lists the containers of the runtime where no control groups are mounted', async () => {
  const files = filesUnder(temporaryFolder());
  const { part } = await containerSource(files, runtimeOf({ containers: [known({})], problem: null })).read(at(0));
  expect(part.containers).toMatchObject([{ name: 'checkout-web', cpu_percent: null }]);
  expect(await containerSource(files).read(at(0))).toEqual({ part: {}, note: 'no control groups are mounted' });
});

it('finds containers where the kernel starts without the controller of memory, as on a Raspberry Pi', async () => {
  const texts = { [`sys/fs/cgroup/cpu,cpuacct/docker/${ID}/cpuacct.usage`]: '1000000000\n' };
  const source = containerSource(fakeFiles(texts));
  await source.read({ ts: TS, up: 100 });
  texts[`sys/fs/cgroup/cpu,cpuacct/docker/${ID}/cpuacct.usage`] = '7000000000\n';
  const { part } = await source.read({ ts: TS + 60, up: 160 });
  expect(part.containers).toMatchObject([
    { id: ID.slice(0, 12), runtime: 'docker', cpu_percent: 10, memory_bytes: null },
  ]);
});

it('reads the memory of containers in version 2 where both versions are mounted and version 1 has none', async () => {
  const at = `sys/fs/cgroup/unified/docker/${ID}`;
  const texts = {
    [`sys/fs/cgroup/cpu,cpuacct/docker/${ID}/cpuacct.usage`]: '1000000000\n',
    'sys/fs/cgroup/unified/cgroup.controllers': 'memory hugetlb\n',
    [`${at}/memory.current`]: '3000\n',
    [`${at}/memory.stat`]: 'anon 1\ninactive_file 1000\n',
    [`${at}/memory.max`]: '9000\n',
    [`${at}/memory.events`]: 'low 0\noom 2\noom_kill 2\n',
  };
  const source = containerSource(fakeFiles(texts));
  await source.read({ ts: TS, up: 100 });
  texts[`sys/fs/cgroup/cpu,cpuacct/docker/${ID}/cpuacct.usage`] = '7000000000\n';
  const { part } = await source.read({ ts: TS + 60, up: 160 });
  expect(part.containers).toMatchObject([
    { id: ID.slice(0, 12), cpu_percent: 10, memory_bytes: 2000, memory_limit_bytes: 9000, oom_kills: 2 },
  ]);
});

it('counts a sandbox of Kata once, not again with what runs for it outside of its machine', async () => {
  const texts = {
    'sys/fs/cgroup/cgroup.controllers': 'cpu memory\n',
    [`sys/fs/cgroup/kata_overhead/${ID}/memory.current`]: '3000\n',
    [`sys/fs/cgroup/system.slice/docker-${ID}.scope/memory.current`]: '2000\n',
  };
  const { part } = await containerSource(fakeFiles(texts)).read(at(0));
  expect(part.containers).toMatchObject([{ id: ID.slice(0, 12), runtime: 'docker', memory_bytes: 2000 }]);
});
