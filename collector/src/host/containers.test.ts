import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { containerNames } from './tables/container-names.ts';
import { filesUnder } from '../runtime/files.ts';
import { captured, fakeFiles } from '../testing/captured.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { findContainers, identifyGroup } from './tables/container-groups.ts';
import { containerSource } from './containers.ts';
import { parsePressure, pressureSource } from './pressure.ts';
import { milliDegrees } from './tables/milli-degrees.ts';
import { temperatureSource } from './temperatures.ts';

const ID = 'a'.repeat(64);
const ID2 = 'b'.repeat(64);
const NOW = { ts: 0, up: 100 };

describe('containers', () => {
  it('finds the containers of a captured Kubernetes host with cgroup v1', async () => {
    const files = captured('kubernetes-cgroup-v1');
    const { part } = await containerSource(files).read(NOW);
    const scopes = part.containers?.filter(({ runtime }) => runtime === 'cri-containerd') ?? [];
    expect(scopes).toHaveLength(3);
    for (const one of scopes) expect(one.memory_bytes).toBeGreaterThan(0);
    expect(scopes.every(({ cpu_percent, id }) => cpu_percent === null && id.length === 12)).toBe(true);
  });

  it('reads cgroup v2, with and without a limit', async () => {
    const at = (id: string): string => `sys/fs/cgroup/system.slice/docker-${id}.scope`;
    const texts: Record<string, string> = {
      'sys/fs/cgroup/cgroup.controllers': 'cpu memory\n',
      [`${at(ID)}/cpu.stat`]: 'usage_usec 1000000\nuser_usec 1\n',
      [`${at(ID)}/memory.current`]: '5000\n',
      [`${at(ID)}/memory.max`]: '9000\n',
      [`${at(ID)}/memory.stat`]: 'anon 1\ninactive_file 2000\n',
      [`${at(ID2)}/memory.max`]: 'max\n',
    };
    const source = containerSource(fakeFiles(texts));
    await source.read({ ts: 0, up: 100 });
    texts[`${at(ID)}/cpu.stat`] = 'usage_usec 31000000\n';
    const { part } = await source.read({ ts: 60, up: 160 });
    expect(part.containers).toEqual([
      {
        id: ID.slice(0, 12),
        name: null,
        image: null,
        runtime: 'docker',
        cpu_percent: 50,
        memory_bytes: 3000,
        memory_limit_bytes: 9000,
        state: 'running',
      },
      {
        id: ID2.slice(0, 12),
        name: null,
        image: null,
        runtime: 'docker',
        cpu_percent: null,
        memory_bytes: null,
        memory_limit_bytes: null,
        state: 'running',
      },
    ]);
  });

  it('reads a captured hierarchy of version 2 whose memory is not counted there', async () => {
    const files = captured('debian-12-cgroup-v2');
    const [scope = ''] = files.list('sys/fs/cgroup/system.slice');
    const stat = `sys/fs/cgroup/system.slice/${scope}/cpu.stat`;
    const texts = { [stat]: files.text(stat) };
    const source = containerSource(fakeFiles(texts, files));
    await source.read({ ts: 0, up: 100 });
    texts[stat] = files.text(`${stat}.later`);
    const { part } = await source.read({ ts: 1, up: 101 });
    // usage_usec went from 324465 to 436351.
    expect(part.containers).toEqual([
      {
        id: '2750bcd7b043',
        name: null,
        image: null,
        runtime: 'docker',
        cpu_percent: expect.closeTo(11.1886, 6),
        memory_bytes: null,
        memory_limit_bytes: null,
        state: 'running',
      },
    ]);
  });

  it('finds a pod and a rootless container in a tree of version 2, and neither services nor the monitor', async () => {
    const { part } = await containerSource(captured('format')).read(NOW);
    expect(part.containers).toMatchObject([
      { id: '5f0c1de2a9b8', runtime: 'cri-containerd', memory_bytes: 41_943_040, memory_limit_bytes: 134_217_728 },
      { id: '9e8d7c6b5a49', runtime: 'libpod', memory_bytes: 3_145_728, memory_limit_bytes: null },
    ]);
  });

  it.each(['cpu.stat', 'memory.stat', 'memory.current', 'memory.max'])(
    'lives with a %s that is cut anywhere',
    async (name) => {
      const files = captured('format');
      const [scope] = findContainers(files, 'sys/fs/cgroup');
      const path = `sys/fs/cgroup/${scope?.path}/${name}`;
      const whole = files.text(path);
      for (let end = 0; end < whole.length; end += 1) {
        const { part } = await containerSource(fakeFiles({ [path]: whole.slice(0, end) }, files)).read(NOW);
        expect(part.containers).toHaveLength(2);
        const [{ memory_bytes: memory, cpu_percent: cpu } = { memory_bytes: -1, cpu_percent: -1 }] =
          part.containers ?? [];
        expect([memory === null || memory >= 0, cpu]).toEqual([true, null]);
      }
    },
  );

  it('says when there are no control groups', async () => {
    expect(await containerSource(fakeFiles({})).read(NOW)).toEqual({ part: {}, note: 'no control groups are mounted' });
  });

  it.each([
    [`docker-${ID}.scope`, 'system.slice', 'docker'],
    [`cri-containerd-${ID}.scope`, 'x', 'cri-containerd'],
    [`libpod-${ID}.scope`, 'user.slice', 'libpod'],
    [`crio-${ID}.scope`, 'x', 'crio'],
    [ID, 'docker', 'docker'],
    [ID, 'pod1234', 'kubernetes'],
    [ID, 'elsewhere', null],
  ])('%s in %s is of %s', (name, parent, runtime) => {
    expect(identifyGroup(name, parent)).toEqual({ id: ID, runtime, name: null });
  });

  it.each(['ssh.service', 'session-1.scope', 'docker', `libpod-conmon-${ID}.scope`])('%s is no container', (name) => {
    expect(identifyGroup(name, '')).toBeNull();
  });

  it('ends in a tree without end', () => {
    const endless = { ...fakeFiles({}), list: () => ['a', 'b', 'c'] };
    expect(findContainers(endless, 'sys/fs/cgroup')).toEqual([]);
  });
});

describe('containerNames', () => {
  const podman = JSON.stringify([{ id: ID, names: ['db'], metadata: JSON.stringify({ 'image-name': 'pg:16' }) }]);
  const task = JSON.stringify({
    annotations: {
      'io.kubernetes.cri.sandbox-name': 'pod-1',
      'io.kubernetes.cri.container-name': 'app',
      'io.kubernetes.cri.image-name': 'app:2',
    },
  });

  it.each([
    [
      `var/lib/docker/containers/${ID}/config.v2.json`,
      '{"Name":"/web","Config":{"Image":"nginx:1"}}',
      'web',
      'nginx:1',
    ],
    [`run/containerd/io.containerd.runtime.v2.task/k8s.io/${ID}/config.json`, task, 'pod-1/app', 'app:2'],
    ['var/lib/containers/storage/overlay-containers/containers.json', podman, 'db', 'pg:16'],
    [`var/lib/docker/containers/${ID}/config.v2.json`, '{"Name":7,"Config":null}', null, null],
    [`var/lib/docker/containers/${ID}/config.v2.json`, 'not json', null, null],
    [`var/lib/docker/containers/${ID}/config.v2.json`, '[]', null, null],
  ])('%s', (path, text, name, image) => {
    expect(containerNames(fakeFiles({ [path]: text }))(ID)).toEqual({ name, image });
  });
});

describe('pressure', () => {
  it('reads a captured host', async () => {
    const { part } = await pressureSource(captured('debian-12-firecracker')).read(NOW);
    expect(part.pressure?.cpu?.some.total_seconds).toBeGreaterThan(20);
    expect(part.pressure?.memory?.full.avg10).toBe(0);
  });

  it('says why there is none', async () => {
    const taken = await pressureSource(fakeFiles({})).read(NOW);
    expect([taken.part, taken.note]).toEqual([{}, expect.stringContaining('CONFIG_PSI')]);
  });

  it('takes a line that is cut for none', () => {
    expect(parsePressure('some avg10=0.16 avg60=0.5')).toEqual({ some: null, full: null });
  });
});

describe('temperatures', () => {
  it('reads sensors with and without a label, and leaves out what cannot be', async () => {
    const files = fakeFiles({
      'sys/class/hwmon/hwmon0/name': 'coretemp\n',
      'sys/class/hwmon/hwmon0/temp1_input': '45000\n',
      'sys/class/hwmon/hwmon0/temp1_label': 'Package id 0\n',
      'sys/class/hwmon/hwmon0/temp1_crit': '100000\n',
      'sys/class/hwmon/hwmon1/temp2_input': '-8500\n',
      'sys/class/hwmon/hwmon1/temp2_crit': '20800\n',
      'sys/class/hwmon/hwmon1/temp3_input': '65261850\n',
      'sys/class/hwmon/hwmon1/fan1_input': '900\n',
    });
    expect((await temperatureSource(files).read(NOW)).part.temperatures).toEqual([
      { chip: 'coretemp', label: 'Package id 0', celsius: 45, critical_celsius: 100 },
      { chip: 'hwmon1', label: 'temp2', celsius: -8.5, critical_celsius: null },
    ]);
  });

  it('reads chips with all their files in the form of the kernel’s documentation', async () => {
    const { part } = await temperatureSource(captured('format')).read(NOW);
    const shown = part.temperatures?.map((one) => [one.chip, one.label, one.celsius, one.critical_celsius]);
    // CPUTIN is not wired and says −61 °C, AUXTIN0 says 127.5 °C.
    expect(shown?.toSorted()).toEqual([
      ['acpitz', 'temp1', 27.8, 119],
      ['coretemp', 'Core 0', 46, 100],
      ['coretemp', 'Core 1', 44, 100],
      ['coretemp', 'Package id 0', 47, 100],
      ['nct6775', 'SYSTIN', 34, null],
      ['nvme', 'Composite', 38.85, 84.85],
      ['nvme', 'Sensor 1', 38.85, null],
    ]);
  });

  it('tells chips of one name apart by their device, or by their place where there is none', async () => {
    const root = temporaryFolder();
    const device = { hwmon0: 'nvme0', hwmon1: 'nvme1', hwmon2: '0000:00:18.3', hwmon3: null, hwmon4: 'spd5118' };
    const name = { hwmon0: 'nvme', hwmon1: 'nvme', hwmon2: 'k10temp', hwmon3: 'k10temp', hwmon4: 'jc42' };
    for (const [directory, target] of Object.entries(device)) {
      const at = join(root, 'sys/class/hwmon', directory);
      mkdirSync(at, { recursive: true });
      writeFileSync(join(at, 'name'), `${name[directory as keyof typeof name]}\n`);
      writeFileSync(join(at, 'temp1_input'), '30000\n');
      if (target !== null) symlinkSync(`../../../${target}`, join(at, 'device'));
    }
    const { part } = await temperatureSource(filesUnder(root)).read(NOW);
    const chips = part.temperatures?.map(({ chip }) => chip).toSorted();
    expect(chips).toEqual(['jc42', 'k10temp 0000:00:18.3', 'k10temp hwmon3', 'nvme0', 'nvme1']);
  });

  it.each([['0'], ['127000'], ['127500'], ['128000'], ['255000'], ['-128000']])(
    'leaves out a sensor that is not wired and says %s',
    (text) => {
      expect(milliDegrees(text)).toBeNull();
    },
  );

  it('reads drivers that put their files beside those of the device', async () => {
    const files = fakeFiles({
      'sys/class/hwmon/hwmon0/device/name': 'lm75\n',
      'sys/class/hwmon/hwmon0/device/temp1_input': '31500\n',
      'sys/class/hwmon/hwmon0/device/temp1_crit': '80000\n',
      'sys/class/hwmon/hwmon1/name': 'nouveau\n',
      'sys/class/hwmon/hwmon1/device/temp9_input': '99000\n',
    });
    expect((await temperatureSource(files).read(NOW)).part.temperatures).toEqual([
      { chip: 'lm75', label: 'temp1', celsius: 31.5, critical_celsius: 80 },
    ]);
  });

  // henrygd/beszel#167: OpenWrt has no hwmon.
  it('reads thermal zones where no driver of hwmon shows them', async () => {
    const zone = 'sys/class/thermal/thermal_zone0';
    const texts: Record<string, string> = {
      [`${zone}/type`]: 'cpu-thermal\n',
      [`${zone}/temp`]: '58900\n',
      [`${zone}/trip_point_0_type`]: 'critical\n',
      [`${zone}/trip_point_0_temp`]: '110000\n',
      'sys/class/thermal/thermal_zone1/type': 'gpu-thermal\n',
      'sys/class/thermal/thermal_zone1/temp': '0\n',
      'sys/class/thermal/thermal_zone2/type': 'INT3400 Thermal\n',
      'sys/class/thermal/thermal_zone2/temp': '20000\n',
      'sys/class/thermal/cooling_device0/type': 'fan\n',
    };
    const source = temperatureSource(fakeFiles(texts));
    expect((await source.read(NOW)).part.temperatures).toEqual([
      { chip: 'cpu-thermal', label: 'thermal_zone0', celsius: 58.9, critical_celsius: 110 },
    ]);
    texts[`${zone}/temp`] = '61000\n';
    expect((await source.read(NOW)).part.temperatures?.[0]?.celsius).toBe(61);
  });

  it.each([
    ['cpu-thermal', 'cpu_thermal'],
    ['acpitz', 'acpitz'],
    ['x86_pkg_temp', 'coretemp'],
  ])('shows the zone %s once, by the driver %s', async (type, driver) => {
    const texts = {
      'sys/class/hwmon/hwmon0/name': `${driver}\n`,
      'sys/class/hwmon/hwmon0/temp1_input': '45000\n',
      'sys/class/thermal/thermal_zone0/type': `${type}\n`,
      'sys/class/thermal/thermal_zone0/temp': '45000\n',
    };
    expect((await temperatureSource(fakeFiles(texts)).read(NOW)).part.temperatures).toHaveLength(1);
  });

  it('shows a zone once whose device of hwmon lies below it', async () => {
    const texts = {
      'sys/class/hwmon/hwmon3/name': 'soc\n',
      'sys/class/hwmon/hwmon3/temp1_input': '45000\n',
      'sys/class/thermal/thermal_zone0/type': 'other\n',
      'sys/class/thermal/thermal_zone0/temp': '45000\n',
      'sys/class/thermal/thermal_zone0/hwmon3/name': 'soc\n',
    };
    expect((await temperatureSource(fakeFiles(texts)).read(NOW)).part.temperatures).toHaveLength(1);
  });

  it('shows a zone whose driver has no temperature', async () => {
    const texts = {
      'sys/class/hwmon/hwmon0/name': 'coretemp\n',
      'sys/class/hwmon/hwmon0/temp1_input': '0\n',
      'sys/class/thermal/thermal_zone0/type': 'x86_pkg_temp\n',
      'sys/class/thermal/thermal_zone0/temp': '45000\n',
    };
    const { part } = await temperatureSource(fakeFiles(texts)).read(NOW);
    expect(part.temperatures).toMatchObject([{ chip: 'x86_pkg_temp', celsius: 45 }]);
  });

  it('gives an empty list where there are no sensors', async () => {
    expect((await temperatureSource(fakeFiles({})).read(NOW)).part.temperatures).toEqual([]);
  });

  it.each([[null], [''], ['abc'], ['-273150']])('%j is no temperature', (text) => {
    expect(milliDegrees(text)).toBeNull();
  });
});
