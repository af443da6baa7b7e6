import { describe, expect, it } from 'vitest';
import { captured, capturedText, fakeFiles } from '../testing/captured.ts';
import { cpuShares, cpuSource, parseStat, shapeCpu } from './cpu.ts';

const HOST = 'debian-12-firecracker';
const first = parseStat(capturedText(HOST, 'proc/stat'));
const later = parseStat(capturedText(HOST, 'proc/stat.later'));

describe('parseStat', () => {
  it('reads the whole host and each core', () => {
    expect([...first.cores.keys()]).toEqual([0, 1]);
    const sum = [...first.cores.values()].reduce((total, core) => total + core.idle, 0);
    expect(Math.abs(sum - first.all.idle)).toBeLessThanOrEqual(2);
  });

  it('takes the four columns of an old kernel', () => {
    expect(parseStat('cpu  1 2 3 4\n').all).toMatchObject({ user: 1, idle: 4, ioWait: 0, steal: 0 });
  });

  it('names what is missing', () => {
    expect(() => parseStat('intr 1\n')).toThrow('no "cpu" line');
    expect(() => parseStat('cpu  1 2')).toThrow('no "cpu" line');
  });
});

describe('shapeCpu', () => {
  it('knows nothing without an earlier reading', () => {
    expect(shapeCpu(null, first)).toEqual({
      percent: null,
      io_wait_percent: null,
      steal_percent: null,
      user_percent: null,
      system_percent: null,
      per_core_percent: [null, null],
    });
  });

  it('shares add up over a captured window', () => {
    const part = shapeCpu(first, later);
    const [user, system, steal] = [part.user_percent ?? -1, part.system_percent ?? -1, part.steal_percent ?? -1];
    expect(part.percent).toBeCloseTo(user + system + steal, 6);
    expect(part.percent).toBeGreaterThan(0);
    expect(part.per_core_percent).toHaveLength(2);
  });

  it('gives a core that was offline before no rate, and leaves one out that went', () => {
    const [core0, core1] = [first.cores.get(0)!, later.cores.get(1)!];
    const part = shapeCpu(
      { all: first.all, cores: new Map([[0, core0]]) },
      { all: later.all, cores: new Map([[1, core1]]) },
    );
    expect(part.per_core_percent).toEqual([null]);
  });
});

describe('cpuShares', () => {
  const before = { user: 10, nice: 0, system: 10, idle: 80, ioWait: 10, irq: 0, softIrq: 0, steal: 0 };

  it('computes per cent of the time that passed', () => {
    const now = { ...before, user: 30, idle: 140, ioWait: 30 };
    expect(cpuShares(before, now)).toEqual({ busy: 20, ioWait: 20, steal: 0, user: 20, system: 0 });
  });

  it('gives no rate when a counter began anew', () => {
    const later = { ...before, user: 4000, idle: 9000 };
    expect(cpuShares(later, { ...later, user: 3600, idle: 9400 }).busy).toBeNull();
  });

  it('calls a CPU busy whose idle time falls back by two ticks, as that of a tickless kernel does', () => {
    expect(cpuShares(before, { ...before, user: 6010, idle: 78 })).toMatchObject({ busy: 100, user: 100 });
  });

  it('has the use of a nohz_full kernel whose user time falls back by one tick', () => {
    expect(cpuShares(before, { ...before, user: 9, system: 70, idle: 5020 })).toMatchObject({
      user: 0,
      system: 60 / 50,
    });
  });

  it.each([
    ['grew by more time than passed, as on Xen', 1_844_674_407_370_955],
    ['fell back, as after a live migration', 10],
  ])('loses only steal when it %s', (_, steal) => {
    const then = { ...before, steal: 9000 };
    const now = { ...then, user: 610, idle: 5480, steal };
    expect(cpuShares(then, now, 60)).toEqual({ busy: 10, ioWait: 0, steal: null, user: 10, system: 0 });
  });

  it('believes user time of minutes that a nohz_full kernel counts at once', () => {
    expect(cpuShares(before, { ...before, user: 60_010, idle: 80 }, 60)).toMatchObject({ busy: 100 });
  });

  it('believes steal that took all the time that passed', () => {
    expect(cpuShares(before, { ...before, steal: 6000 }, 60)).toMatchObject({ busy: 100, steal: 100 });
  });

  it('loses only IO wait when that one fell back, as the kernel lets it', () => {
    expect(cpuShares(before, { ...before, user: 20, idle: 90, ioWait: 9 })).toMatchObject({ busy: 50, ioWait: null });
  });

  it('gives no rate when no time passed', () => {
    expect(cpuShares(before, before).busy).toBeNull();
  });
});

describe('cpuSource', () => {
  it('has rates from the second reading on', async () => {
    const texts = { 'proc/stat': capturedText(HOST, 'proc/stat') };
    const source = cpuSource(fakeFiles(texts, captured(HOST)));
    expect((await source.read({ ts: 0, up: 0 })).part.cpu?.percent).toBeNull();
    texts['proc/stat'] = capturedText(HOST, 'proc/stat.later');
    expect((await source.read({ ts: 2, up: 2 })).part.cpu?.percent).toBeGreaterThan(0);
  });
});
