import { describe, expect, it } from 'vitest';
import { captured, fakeFiles } from '../../testing/captured.ts';
import { connectionSource } from '../connections/connections.ts';
import { clockSource } from './clock-synchronized.ts';
import { conntrackSource } from './conntrack.ts';
import { openFilesSource, parseFileNr } from './open-files.ts';

const NOW = { ts: 0, up: 0 };
const CONNTRACK = 'proc/sys/net/netfilter/nf_conntrack';

describe('conntrack', () => {
  it('has the use of the table', async () => {
    const files = fakeFiles({ [`${CONNTRACK}_count`]: '65530\n', [`${CONNTRACK}_max`]: '65536\n' });
    expect(await conntrackSource(files).read(NOW)).toEqual({ part: { conntrack: { used: 65_530, max: 65_536 } } });
  });

  it.each([
    ['is not known without the module', {}],
    ['is not known from a text', { [`${CONNTRACK}_count`]: 'many', [`${CONNTRACK}_max`]: '65536' }],
  ])('%s', async (_, texts) => {
    expect(await conntrackSource(fakeFiles(texts as Record<string, string>)).read(NOW)).toEqual({
      part: {},
      note: 'the kernel tracks no connections',
    });
  });
});

describe('open files', () => {
  it('leaves out those that are allocated and free', async () => {
    const { part } = await openFilesSource(fakeFiles({ 'proc/sys/fs/file-nr': '1984\t64\t819200\n' })).read(NOW);
    expect(part).toEqual({ open_files: { used: 1920, max: 819_200 } });
  });

  it('are not known from another text', async () => {
    expect(parseFileNr('808')).toBeNull();
    expect((await openFilesSource(fakeFiles({})).read(NOW)).note).toContain('three numbers');
  });

  it('have no limit on a kernel that sets none', () => {
    expect(parseFileNr('808\t0\t9223372036854775807\n')).toEqual({ used: 808, max: null });
  });
});

describe('ephemeral ports', () => {
  const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
  const line = (local: string, state: string): string =>
    `   0: 0100007F:${local} 4D7100CB:01BB ${state} 00000000:00000000 00:00000000 00000000   107        0 1 1 0000000092666553 100 0 0 10 0\n`;
  const read = async (range: Record<string, string>, ...lines: string[]) =>
    (await connectionSource(fakeFiles({ 'proc/net/tcp': HEAD + lines.join(''), ...range })).read(NOW)).part
      .ephemeral_ports;
  const RANGE = { 'proc/sys/net/ipv4/ip_local_port_range': '32768\t32777\n' };

  it('counts each local port of the range once, and none that the machine listens on', async () => {
    // 32768 twice (to two peers), 32770 listens, 32771 waits, 443 is outside.
    const lines = [
      line('8000', '01'),
      line('8000', '06'),
      line('8002', '0A'),
      line('8002', '01'),
      line('8003', '06'),
      line('01BB', '01'),
      // The ends: 32777 is the last of the range, 32778 and 32767 are outside.
      line('8009', '01'),
      line('800A', '01'),
      line('7FFF', '01'),
    ];
    expect(await read(RANGE, ...lines)).toEqual({ used: 3, max: 10 });
  });

  it('are not known without a range', async () => {
    expect(await read({}, line('8000', '01'))).toBeUndefined();
    for (const range of ['9 1\n', '1024 65536\n'])
      expect(await read({ 'proc/sys/net/ipv4/ip_local_port_range': range }, line('8000', '01'))).toBeUndefined();
  });

  it('reads a captured host', async () => {
    const { part } = await connectionSource(captured('debian-12-firecracker')).read(NOW);
    expect(part.ephemeral_ports === undefined || part.ephemeral_ports.max === 28_232).toBe(true);
  });
});

describe('clock', () => {
  const SYSTEMD = { 'run/systemd/system': '' };
  const asked = (answer: string | Error) => {
    let times = 0;
    const source = clockSource(fakeFiles(SYSTEMD), async () => {
      times += 1;
      if (answer instanceof Error) throw answer;
      return answer;
    });
    return { source, times: () => times };
  };

  it.each([
    ['yes\n', true],
    ['no\n', false],
  ])('is what systemd says: %j', async (answer, flag) => {
    expect(await asked(answer).source.read(NOW)).toEqual({ part: { clock_synchronized: flag } });
  });

  it('is asked about once in ten minutes, a failure too', async () => {
    const { source, times } = asked(new Error('timedatectl: not found'));
    expect(await source.read(NOW)).toEqual({ part: {}, note: 'timedatectl: not found' });
    await source.read({ ts: 599, up: 599 });
    expect(times()).toBe(1);
    await source.read({ ts: 600, up: 600 });
    expect(times()).toBe(2);
  });

  it('is not known without systemd, and from an older one', async () => {
    const never = clockSource(fakeFiles({}), () => Promise.reject(new Error('no child runs')));
    expect(await never.read(NOW)).toEqual({ part: {}, note: 'systemd does not run here' });
    expect((await asked('').source.read(NOW)).note).toContain('systemd 239');
  });
});
