import type { GpuPart } from '@plimsoll/contract/wire/hardware';
import { describe, expect, it } from 'vitest';
import { ARRAY, DRIVE, GPU, POOL, UPS } from './hardware-samples.ts';
import {
  actionText,
  driveTroubles,
  fanTroubles,
  gpuFacts,
  gpuProcesses,
  gpuTroubles,
  poolTroubles,
  powerFacts,
  powerTroubles,
  raidTroubles,
} from './hardware-words.ts';

const GB = 2 ** 30;
const levels = (troubles: readonly { level: string; message: string }[]) =>
  troubles.map(({ level, message }) => `${level}: ${message}`);

describe('the work of an array', () => {
  const working = { ...ARRAY, action: 'check' };

  it('that has not begun waits: its progress is not 0 %', () => {
    expect(actionText(working)).toBe('check waits');
    expect(actionText({ ...ARRAY, action_percent: 40 })).toBeNull();
  });

  it.each([
    [0, 'check 0.0 %'],
    [2.34, 'check 2.3 %'],
    [9.9, 'check 9.9 %'],
    [10, 'check 10 %'],
    [99.7, 'check 100 %'],
  ])('of %d per cent has a place while it moves slowly', (percent, text) =>
    expect(actionText({ ...working, action_percent: percent })).toBe(text),
  );

  it('names the time left only if the kernel estimates one', () => {
    expect(actionText({ ...working, action_percent: 50, action_seconds_left: 5400 })).toBe('check 50 %, 1 h left');
    expect(actionText({ ...working, action_percent: 50, action_seconds_left: 0 })).toBe('check 50 %, 0 s left');
  });
});

describe('an array that is not clean', () => {
  it('is a warning while it is filled again; anything else is critical, also a state of a newer agent', () => {
    const states = ['clean', 'rebuilding', 'degraded', 'failed', 'inactive', 'read-auto'];
    expect(levels(raidTroubles(states.map((state) => ({ ...ARRAY, state }))))).toEqual([
      'warning: md0 is rebuilding',
      'critical: md0 is degraded',
      'critical: md0 is failed',
      'critical: md0 is inactive',
      'critical: md0 is read-auto',
    ]);
  });

  it('names its level, how many disks work, which failed and what is done about it', () => {
    const [trouble] = raidTroubles([
      { ...ARRAY, state: 'degraded', disks_active: 1, failed_disks: 'sdb', action: 'recovery', action_percent: 12 },
    ]);
    expect(trouble?.facts).toEqual(['RAID 1', '1 of 2 disks', 'failed: sdb', 'recovery 12 %']);
  });

  it('leaves out what the kernel does not know', () => {
    const [trouble] = raidTroubles([{ ...ARRAY, state: 'inactive', level: 'unknown', disks_active: null }]);
    expect(trouble?.facts).toEqual([]);
    const [striped] = raidTroubles([{ ...ARRAY, state: 'failed', level: 'raid0', disks_required: null }]);
    expect(striped?.facts).toEqual(['RAID 0']);
  });

  it('cannot turn the sentence around by its name', () => {
    expect(levels(raidTroubles([{ ...ARRAY, state: 'failed', name: 'md\u202E0' }]))).toEqual([
      'critical: md\\u202E0 is failed',
    ]);
  });
});

describe('a pool', () => {
  const facts = (parts: Partial<typeof POOL>) => poolTroubles([{ ...POOL, ...parts }])[0]?.facts;

  it('that counts errors is a warning, one that is not online critical, one that is well nothing', () => {
    const pools = [
      POOL,
      { ...POOL, errors: 0 },
      { ...POOL, errors: 1 },
      { ...POOL, errors: 1204 },
      { ...POOL, state: 'faulted', errors: 3 },
    ];
    expect(levels(poolTroubles(pools))).toEqual([
      'warning: tank has 1 device error',
      'warning: tank has 1,204 device errors',
      'critical: tank is faulted',
    ]);
  });

  it('names the devices that are missing, and no whole that is not known', () => {
    const sick = { state: 'degraded', type: 'btrfs', used_bytes: null };
    expect(facts({ ...sick, devices: 4, devices_missing: 1 })).toEqual(['btrfs', '1 of 4 devices missing']);
    expect(facts({ ...sick, devices: null, devices_missing: 1 })).toEqual(['btrfs', '1 device missing']);
    expect(facts({ ...sick, devices: null, devices_missing: 2 })).toEqual(['btrfs', '2 devices missing']);
    expect(facts({ ...sick, devices: 4, devices_missing: 0 })).toEqual(['btrfs']);
    expect(facts({ ...sick, devices: 4, devices_missing: null })).toEqual(['btrfs']);
  });

  it('writes one unit for use and size where they have the same', () => {
    expect(facts({ errors: 1, errors_at: 'sdb: 1 read' })).toEqual(['ZFS pool', 'sdb: 1 read', '100 of 400 GB']);
    expect(facts({ errors: 1, used_bytes: 512 * 2 ** 20 })).toEqual(['ZFS pool', '512 MB of 400 GB']);
    expect(facts({ errors: 1, size_bytes: null })).toEqual(['ZFS pool']);
  });
});

describe('a drive', () => {
  it('that does not say whether it passed is no trouble by that alone', () => {
    expect(driveTroubles([DRIVE, { ...DRIVE, passed: null }, { ...DRIVE, passed: null, pending: null }])).toEqual([]);
  });

  it('is a trouble by sectors that it could not read, and critical once it expects to fail', () => {
    const drives = [
      { ...DRIVE, passed: null, pending: 1 },
      { ...DRIVE, pending: 8 },
      { ...DRIVE, passed: false, pending: 8 },
    ];
    expect(levels(driveTroubles(drives))).toEqual([
      'warning: sda has 1 unreadable sector',
      'warning: sda has 8 unreadable sectors',
      'critical: sda expects to fail',
    ]);
  });

  it('has the moment of its own answer, because it is asked less often than a report is sent', () => {
    const [trouble] = driveTroubles([{ ...DRIVE, passed: false, reason: 'wear', celsius: null, read_at: 1000 }]);
    expect(trouble).toMatchObject({ at: 1000, facts: ['TOSHIBA MG08ACA16TE', 'wear'] });
  });
});

describe('a fan', () => {
  const fan = { chip: 'nct6798', label: 'CPU fan', rpm: 0, alarm: true };

  it('is a trouble only where its chip watches it: one that stands still may be no fan', () => {
    expect(
      fanTroubles([
        { ...fan, alarm: null },
        { ...fan, alarm: false },
      ]),
    ).toEqual([]);
    expect(fanTroubles([{ ...fan, rpm: 1180 }])).toMatchObject([
      { level: 'warning', message: 'CPU fan is too slow', facts: ['1,180 rpm', 'nct6798'] },
    ]);
  });
});

describe('a UPS', () => {
  const onBattery = (charge: number | null) =>
    levels(powerTroubles([{ ...UPS, on_battery: true, charge_percent: charge }]));

  it('on its battery is critical below a quarter of its charge; an unknown charge is not an empty one', () => {
    expect(onBattery(25)).toEqual(['warning: nas-ups runs on battery']);
    expect(onBattery(24)).toEqual(['critical: nas-ups runs on battery']);
    expect(onBattery(0)).toEqual(['critical: nas-ups runs on battery']);
    expect(onBattery(null)).toEqual(['warning: nas-ups runs on battery']);
  });

  it('that does not say what feeds it is no trouble, nor is a laptop on its battery', () => {
    expect(
      powerTroubles([
        { ...UPS, on_battery: null },
        { ...UPS, kind: 'battery', on_battery: true },
      ]),
    ).toEqual([]);
  });

  it.each([
    ['online, replace battery', 'nas-ups needs a new battery'],
    ['overloaded', 'nas-ups carries too much load'],
    ['not connected', 'nas-ups does not respond to its driver'],
    ['online, bypass', 'nas-ups feeds the machine past its battery'],
  ])('in the state "%s" needs a person', (state, message) =>
    expect(levels(powerTroubles([{ ...UPS, state }]))).toEqual([`warning: ${message}`]),
  );

  it('is judged by whole words of its state', () => {
    expect(powerTroubles([{ ...UPS, state: 'online, not bypassed' }])).toEqual([]);
    expect(powerTroubles([{ ...UPS, kind: 'battery', state: 'replace battery' }])).toEqual([]);
  });

  it('says once that it runs on battery, whatever else its state says', () => {
    expect(levels(powerTroubles([{ ...UPS, on_battery: true, state: 'replace battery' }]))).toEqual([
      'warning: nas-ups runs on battery',
    ]);
  });

  it('lists the figures that it has', () => {
    expect(powerFacts(UPS)).toEqual(['100 %', '44 min left', 'load 31 %']);
    expect(
      powerFacts({ ...UPS, charge_percent: null, seconds_left: 0, load_percent: null, health_percent: 81 }),
    ).toEqual(['0 s left', 'holds 81 % of its capacity']);
  });
});

describe('a GPU', () => {
  it('is hot from 90 °C on, as its default rule', () => {
    const gpus = [89.9, 90, null].map((celsius) => ({ ...GPU, celsius }));
    expect(levels(gpuTroubles(gpus))).toEqual(['warning: NVIDIA A10G is at 90 °C']);
    expect(levels(gpuTroubles([{ ...GPU, name: null, celsius: 97 }]))).toEqual(['warning: GPU is at 97 °C']);
  });

  it('names its heat once', () => {
    expect(gpuTroubles([{ ...GPU, celsius: 95 }])[0]?.facts).toEqual(['0000:00:1e.0', '62 %', '9 of 24 GB', '190 W']);
    expect(gpuFacts({ ...GPU, use_percent: 0, memory_used_bytes: null })).toEqual(['0 %', '56 °C', '190 W']);
  });

  const process = (pid: number, memory: number | null) => ({ pid, name: 'python3', memory_bytes: memory });
  const listed = (processes: NonNullable<GpuPart['processes']>) => gpuProcesses({ ...GPU, processes });

  it('names three of its processes and counts the others', () => {
    const four = [1, 2, 3, 4].map((pid) => process(pid, pid * GB));
    expect(gpuProcesses(GPU)).toEqual([]);
    expect(listed(four.slice(0, 3))).toEqual(['python3 (1) 1 GB', 'python3 (2) 2 GB', 'python3 (3) 3 GB']);
    expect(listed(four).at(-1)).toBe('1 other process');
    expect(listed([...four, process(5, null)]).at(-1)).toBe('2 other processes');
    expect(listed([process(9, null)])).toEqual(['python3 (9)']);
  });
});
