import { beforeEach, describe, expect, it, vi } from 'vitest';
import { diskAt } from '../runtime/disk.ts';
import { Spool } from '../send/spool.ts';
import { installed, plimsoll } from '../testing/command.ts';
import { countedStreams, smallReport } from '../testing/reports.ts';
import { runInstaller } from './installer.ts';

// The real one swaps the program of this machine.
vi.mock('./installer.ts', () => ({ runInstaller: vi.fn<typeof runInstaller>() }));
const installer = vi.mocked(runInstaller);
beforeEach(() => {
  installer.mockReset();
});

describe('plimsoll update', () => {
  it.each([
    ['done', 0],
    ['failed and nothing changed', 1],
    ['checksum mismatch', 4],
    ['rolled back', 6],
  ])('%s: the installer’s exit status is the command’s', async (_what, status) => {
    installer.mockResolvedValue(status);
    expect((await plimsoll(['update'])).status).toBe(status);
    expect((await plimsoll(['update', '--help'])).out).toContain(String(status));
  });

  it.each([
    [[], ['--update']],
    [['--dry-run'], ['--update', '--dry-run']],
  ])('%j asks the installer with %j', async (argv, given) => {
    installer.mockResolvedValue(0);
    await plimsoll(['update', ...argv]);
    expect(installer.mock.calls.map(([one]) => one)).toEqual([given]);
  });
});

describe('plimsoll update --reported-since', () => {
  /** A host with one report of the moment 1,000, accepted or waiting. */
  async function reported(accepted: boolean): Promise<['--config', string]> {
    const { state, config } = installed();
    const spool = new Spool({ disk: diskAt(`${state}/spool`), newStream: countedStreams() });
    const { stream } = await spool.append(smallReport(1000, 1), 'boot');
    if (accepted) spool.settle(stream, 1, []);
    return config;
  }

  it.each([
    [true, '1000', 0],
    [true, '999', 0],
    [true, '1001', 1],
    [false, '1000', 1],
  ])('accepted: %s, since %s: exit status %d', async (accepted, since, status) => {
    const ran = await plimsoll(['update', '--reported-since', since, ...(await reported(accepted))]);
    expect(ran).toEqual({ status, out: '', err: '' });
    expect(installer).not.toHaveBeenCalled();
  });

  it.each(['now', '1e3', '-5', '1000.5', ''])('"%s" is no moment', async (since) => {
    const ran = await plimsoll(['update', `--reported-since=${since}`]);
    expect(ran).toMatchObject({ status: 64, err: 'plimsoll update: --reported-since must be whole epoch seconds\n' });
    expect(installer).not.toHaveBeenCalled();
  });
});
