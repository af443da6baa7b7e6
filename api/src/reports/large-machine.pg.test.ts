import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { expect, it } from 'vitest';
import { diskIoSource } from '../../../collector/src/host/disk-io.ts';
import { filesystemSource } from '../../../collector/src/host/filesystem.ts';
import { networkSource } from '../../../collector/src/host/network.ts';
import { withinLimits } from '../../../collector/src/host/within-limits.ts';
import { collect, prime } from '../../../collector/src/report.ts';
import { fakeFiles } from '../../../collector/src/testing/captured.ts';
import { reportsBody, testApp } from '../testing/app.ts';
import { testStorage } from '../testing/postgres.ts';

const db = testStorage();
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** 60 LUNs over four paths, as many interfaces as a hypervisor has, and a filesystem for each tenant. */
const files = fakeFiles({
  'proc/diskstats': lines(240, (n) => `8 ${String(n)} sd${String(n)} 1000 0 8000 10 1000 0 8000 10 0 20 20 0 0 0 0`),
  'proc/net/dev': lines(500, (n) => `eth${String(n)}: 1 1 0 0 0 0 0 0 1 1 0 0 0 0 0 0`),
  'proc/mounts': lines(300, (n) => `/dev/m${String(n)} /srv/m${String(n)} ext4 rw 0 0`),
});
const space = (path: string) => {
  const free = path === '/srv/m299' ? 5 : 60;
  return Promise.resolve({ sizeBytes: 100, freeBytes: free, availableBytes: free, inodes: 0, inodesFree: 0 });
};

it('a report of a collector on a very large machine is stored, with a note for each list that is cut', async () => {
  const app = testApp(db.storage());
  const user = await app.newUser();
  const agent = await app.newAgent(user);
  const sources = [diskIoSource(files), networkSource(files), filesystemSource(files, space)].map(withinLimits);
  await prime(sources, { ts: 0, up: 1 });
  const { report, sources: health } = await collect(sources, { ts: 60, up: 61 }, 60, () => 0);
  const { ts: _ts, up: _up, ...parts } = report;
  const own = {
    version: '1',
    spool_bytes: 0,
    spool_oldest_age_seconds: 0,
    retries: 0,
    last_error: null,
    clock_skew_seconds: 0,
    sources: health,
  };
  const body = reportsBody(agent, app.clock.now(), [{ ...parts, agent: own }]);
  const answer = await app.call('POST', '/api/agent/v1/reports', { token: agent.token, body });
  expect([answer.status, answer.json['rejected']]).toEqual([200, []]);
  const { json } = await app.call('GET', `/api/servers/${agent.serverId}`, { token: user.token });
  const note = (left: number, all: number, noun: string) => ({
    ok: true,
    error: expect.stringContaining(
      `${String(left)} of ${String(all)} ${noun} are left out: a report holds at most 200`,
    ),
  });
  expect(json.data).toMatchObject({
    server: {
      status: 'active',
      disks: { length: REPORT_LIMITS.disks },
      interfaces: { length: REPORT_LIMITS.interfaces },
      filesystems: expect.arrayContaining([expect.objectContaining({ mount: '/srv/m299' })]),
      sources: {
        'disk-io': note(40, 240, 'disks'),
        network: note(300, 500, 'interfaces'),
        filesystem: note(100, 300, 'filesystems'),
      },
    },
  });
});
