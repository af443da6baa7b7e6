import { describe, expect, it } from 'vitest';
import { captured, fakeFiles } from '../../testing/captured.ts';
import { hiddenProcesses, parseMountinfo } from './hidden-processes.ts';
import { processSource } from '../processes.ts';

const mountinfo = (options: string): string =>
  `22 27 0:20 / /sys rw,nosuid shared:7 - sysfs sysfs rw\n23 27 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:12 - proc proc ${options}\n`;
const own = { 'proc/4711/stat': '4711 (plimsoll) S 1 0', 'proc/uptime': '1 1\n' };

describe('hiddenProcesses', () => {
  it.each(['hidepid=2', 'hidepid=1', 'hidepid=invisible', 'hidepid=noaccess', 'hidepid=ptraceable', 'hidepid=4'])(
    'names %s where process 1 cannot be read',
    (option) => {
      const files = fakeFiles({ ...own, 'proc/self/mountinfo': mountinfo(`rw,${option}`) });
      expect(hiddenProcesses(files)()).toMatch(`/proc hides the processes of other users (${option}): `);
    },
  );

  it('says nothing where the collector may see them all', () => {
    const files = fakeFiles({
      ...own,
      'proc/1/stat': '1 (init) S',
      'proc/self/mountinfo': mountinfo('rw,hidepid=2,gid=27'),
    });
    expect(hiddenProcesses(files)()).toBeNull();
    expect(hiddenProcesses(captured('debian-12-firecracker'))()).toBeNull();
  });

  it('names subset=pid, whether process 1 is hidden or not', () => {
    const texts = { 'proc/4711/stat': '', 'proc/self/mountinfo': mountinfo('rw,subset=pid') };
    expect(hiddenProcesses(fakeFiles(texts))()).toMatch('subset=pid');
    expect(hiddenProcesses(fakeFiles({ ...texts, 'proc/1/stat': '1 (init) S' }))()).toMatch('subset=pid');
  });

  it('says nothing where no option shows why process 1 is missing', () => {
    const files = fakeFiles({ ...own, 'proc/self/mountinfo': mountinfo('rw,hidepid=0') });
    expect(hiddenProcesses(files)()).toBeNull();
  });

  it('reads the older table of mounts where that is all there is', () => {
    const files = fakeFiles({ ...own, 'proc/mounts': 'proc /proc proc rw,nosuid,hidepid=2 0 0\n' });
    expect(hiddenProcesses(files)()).toMatch('hidepid=2');
  });
});

it('takes the mount that covers the others', () => {
  const covered = mountinfo('rw') + '90 27 0:50 / /proc rw - proc proc rw,hidepid=invisible\n';
  expect(parseMountinfo(covered)).toContain('hidepid=invisible');
  expect(parseMountinfo('cut')).toEqual(new Set(['']));
});

it('is the note of the list of processes', async () => {
  const files = fakeFiles({ ...own, 'proc/self/mountinfo': mountinfo('rw,hidepid=2') });
  const taken = await processSource(files, { stripArguments: false }).read({ ts: 0, up: 1 });
  expect(taken.note).toMatch('hidepid=2');
});
