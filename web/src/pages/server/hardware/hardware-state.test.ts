import { describe, expect, it } from 'vitest';
import type { Hardware, ServerDetail } from '@plimsoll/contract/wire/servers';
import { everyAnswer, ID } from '../../../testing/every-answer.ts';
import { ARRAY, DRIVE, GPU, HARDWARE, POOL, UPDATES, UPS } from './hardware-samples.ts';
import { hardwareState } from './hardware-state.ts';

const FILLED = (everyAnswer(`/api/servers/${ID}`, Date.now()) as { server: ServerDetail }).server;
const ok = { ok: true, duration_ms: 0, error: null };
const stateOf = (hardware: Partial<Hardware>, more: Partial<ServerDetail> = {}) =>
  hardwareState({ ...FILLED, sources: {}, disks: [], ...more, hardware: { ...HARDWARE, ...hardware } });
const messages = (hardware: Partial<Hardware>) =>
  stateOf(hardware).troubles.map(({ level, message }) => [level, message]);
const texts = (hardware: Partial<Hardware>, more: Partial<ServerDetail> = {}) =>
  stateOf(hardware, more).lines.map(({ name, value, reason, more: below }) => [
    name,
    value ?? `N/A, ${reason ?? ''}`,
    below,
  ]);

describe('a server', () => {
  it('without hardware, or of an API that has none, has no lines', () => {
    expect(stateOf({})).toEqual({ troubles: [], lines: [] });
    expect(hardwareState({ ...FILLED, hardware: undefined })).toEqual({ troubles: [], lines: [] });
  });

  it('has the worst trouble first', () => {
    const found = messages({
      raid: [{ ...ARRAY, name: 'md1', state: 'rebuilding', disks_active: 1 }],
      pools: [{ ...POOL, state: 'degraded' }],
      drives: [
        { ...DRIVE, pending: 8 },
        { ...DRIVE, device: 'sdb', passed: false },
      ],
      power: [{ ...UPS, on_battery: true, charge_percent: 18 }],
      updates: { ...UPDATES, reboot_required: true },
    });
    expect(found).toEqual([
      ['critical', 'tank is degraded'],
      ['critical', 'sdb expects to fail'],
      ['critical', 'nas-ups runs on battery'],
      ['warning', 'md1 is rebuilding'],
      ['warning', 'sda has 8 unreadable sectors'],
      ['warning', 'Reboot needed'],
    ]);
  });

  it('whose agent does not say if a device is missing shows that it is not known, and errors all the same', () => {
    const unknown = { ...POOL, type: 'btrfs', name: 'data', state: null };
    expect(texts({ pools: [POOL, unknown] })).toEqual([
      ['Pools', '1 pool online', expect.any(String)],
      ['Pools', 'N/A, the agent does not say whether a device is missing', 'data'],
    ]);
    expect(messages({ pools: [unknown] })).toEqual([]);
    expect(messages({ pools: [{ ...unknown, errors: 2 }] })).toEqual([['warning', 'data has 2 device errors']]);
  });

  it('that is well has one line for each kind', () => {
    const lines = texts({
      raid: [ARRAY, { ...ARRAY, name: 'md1', action: 'check', action_percent: 2.3, action_seconds_left: 5400 }],
      pools: [POOL, { ...POOL, name: 'vms', used_bytes: null }],
      drives: [DRIVE, { ...DRIVE, device: 'nvme0n1', celsius: 44, wear_percent: 7, uncorrectable: 2 }],
      fans: [
        { chip: 'nct6779', label: 'fan1', rpm: 1200, alarm: null },
        { chip: 'nct6779', label: 'fan2', rpm: 0, alarm: null },
      ],
      power: [UPS],
      updates: UPDATES,
    });
    expect(lines).toEqual([
      ['RAID', '2 arrays clean', 'md1: check 2.3 %, 1 h left'],
      ['Pools', '2 pools online', 'fullest: tank, 25 % used'],
      ['Drives', '2 drives healthy', 'hottest 44 °C, most worn 7 %, 2 uncorrected errors'],
      ['Fans', '1 fan, 1,200 rpm', null],
      ['UPS', 'online, 100 %, 44 min left, load 31 %', 'Smart-UPS 1500'],
      ['Updates', 'none pending', 'no reboot needed'],
    ]);
  });

  it.each([
    ['online, replace battery', 'nas-ups needs a new battery'],
    ['online, overloaded, trimming', 'nas-ups carries too much load'],
    ['online, not connected', 'nas-ups does not respond to its driver'],
  ])('with a UPS whose state is "%s" says so, and only once', (state, message) => {
    const { troubles, lines } = stateOf({ power: [{ ...UPS, state }] });
    expect(troubles.map(({ level, message: text }) => [level, text])).toEqual([['warning', message]]);
    expect(lines).toEqual([]);
  });

  it('names the largest processes of a GPU', () => {
    const processes = ['python3', 'triton', 'ffmpeg', 'a', 'b'].map((name, index) => ({
      pid: 10 + index,
      name,
      memory_bytes: index === 2 ? null : 2 ** 30,
    }));
    const [[, , more] = []] = texts({ gpus: [{ ...GPU, processes }] });
    expect(more).toMatch(/python3 \(10\) 1 GB, triton \(11\) 1 GB, ffmpeg \(12\), 2 other processes$/);
  });

  it('numbers what it has several of', () => {
    const battery = { ...UPS, kind: 'battery', state: 'discharging', on_battery: true, model: null };
    const names = stateOf({ power: [battery, UPS, { ...battery, name: 'BAT1' }] }).lines.map(({ name }) => name);
    expect(names).toEqual(['Battery 1', 'Battery 2', 'UPS']);
  });

  it('counts what is troubled no second time', () => {
    const { troubles, lines } = stateOf({
      raid: [{ ...ARRAY, state: 'degraded', disks_active: 1, failed_disks: 'sdb1' }],
      updates: { ...UPDATES, pending: 17, security: 9 },
    });
    expect(troubles.map(({ facts }) => facts)).toEqual([
      ['RAID 1', '1 of 2 disks', 'failed: sdb1'],
      ['17 updates in all'],
    ]);
    expect(lines.map(({ name, value }) => [name, value])).toEqual([['Reboot', 'not needed']]);
  });

  it('says why something is not known', () => {
    const sources = { smart: ok, updates: ok };
    const disks = FILLED.disks.slice(0, 1).map((disk) => ({ ...disk, device: 'sda' }));
    expect(texts({}, { sources, disks, virtualization: null })).toEqual([
      ['Drives', 'N/A, needs --with-smart', null],
      ['Updates', 'N/A, this system keeps no count', null],
    ]);
    const failed = { smart: { ...ok, error: 'sda: smartctl: is not installed' } };
    expect(texts({}, { sources: failed, disks })).toEqual([['Drives', 'N/A, sda: smartctl: is not installed', null]]);
    expect(
      texts({ gpus: [{ ...GPU, use_percent: null, memory_used_bytes: null, celsius: null, power_watts: null }] }),
    ).toEqual([['GPU', 'N/A, the driver reports no figures', 'NVIDIA A10G']]);
  });

  it('shows each of few GPUs, and one line of many', () => {
    expect(texts({ gpus: [GPU, { ...GPU, id: '2', name: null }] })).toEqual([
      ['GPU 1', '62 %, 9 of 24 GB, 56 °C, 190 W', 'NVIDIA A10G'],
      ['GPU 2', '62 %, 9 of 24 GB, 56 °C, 190 W', '2'],
    ]);
    const many = Array.from({ length: 8 }, (_, index) => ({ ...GPU, id: String(index), use_percent: index * 10 }));
    expect(texts({ gpus: many })).toEqual([['GPUs', '35 % used on average', '8 GPUs, hottest 56 °C']]);
  });
});
