import { existsSync } from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { enrolled, installed, plimsoll } from '../testing/command.ts';
import { NO_DASHBOARD, serve } from '../testing/loopback-api.ts';
import { runInstaller } from './installer.ts';

// The real one removes the program from this machine.
vi.mock('./installer.ts', () => ({ runInstaller: vi.fn<typeof runInstaller>() }));
const installer = vi.mocked(runInstaller);
beforeEach(() => {
  installer.mockReset();
});
const argumentsGiven = (): (readonly string[])[] => installer.mock.calls.map(([argv]) => argv);

describe('plimsoll uninstall', () => {
  it.each([
    [[], ['--uninstall']],
    [['--dry-run'], ['--uninstall', '--dry-run']],
  ])('%j hands over to the installer and ends as it does', async (argv, given) => {
    installer.mockResolvedValue(3);
    expect((await plimsoll(['uninstall', ...argv])).status).toBe(3);
    expect(argumentsGiven()).toEqual([given]);
  });

  it('needs no readable settings: what is broken must be removable, too', async () => {
    installer.mockResolvedValue(0);
    const { config } = installed({ no_such_key: '1' });
    expect((await plimsoll(['uninstall', ...config])).status).toBe(0);
  });

  it('passes on what the installer complains of', async () => {
    installer.mockImplementation((_argv, complain) => {
      complain('/usr/local/lib/plimsoll/install.sh is missing');
      return Promise.resolve(1);
    });
    expect(await plimsoll(['uninstall'])).toMatchObject({ status: 1, err: expect.stringContaining('is missing') });
  });
});

describe('plimsoll uninstall --goodbye', () => {
  it('tells the dashboard why silence follows, and removes nothing', async () => {
    const { url, seen } = await serve(() => ({ status: 200, body: {} }));
    const { state, config } = enrolled({ url });
    expect(await plimsoll(['uninstall', '--goodbye', ...config])).toEqual({ status: 0, out: '', err: '' });
    expect(seen).toEqual([
      { path: '/api/agent/v1/bye', token: 'Bearer plm_agent_secret', body: { reason: 'uninstall' } },
    ]);
    expect([existsSync(`${state}/agent.json`), argumentsGiven()]).toEqual([true, []]);
  });

  it.each([401, 410, 500])('a dashboard that answers %d was not told', async (status) => {
    const { url } = await serve(() => ({ status, body: {} }));
    const { config } = enrolled({ url });
    expect((await plimsoll(['uninstall', '--goodbye', ...config])).status).toBe(1);
  });

  it('a dashboard that is down was not told', async () => {
    const { config } = enrolled({ url: NO_DASHBOARD });
    expect((await plimsoll(['uninstall', '--goodbye', ...config])).status).toBe(1);
  });

  it('a host that never enrolled has nobody to tell, and gets no state directory for it', async () => {
    const { url, seen } = await serve(() => ({ status: 200, body: {} }));
    const { state, config } = installed({ url });
    expect((await plimsoll(['uninstall', '--goodbye', ...config])).status).toBe(0);
    expect([seen, existsSync(state)]).toEqual([[], false]);
  });
});
