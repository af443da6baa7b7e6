import { reportItem } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Figures } from '../figures.ts';
import { HARDWARE_LABELS, HARDWARE_METRICS } from '../node-exporter-hardware.ts';
import { shapeHardware } from './shape-hardware.ts';
import type { Value } from '../types.ts';

const keysOf = Object.values(HARDWARE_METRICS).filter((keyOf) => keyOf !== undefined);
const partsOf = (...sent: readonly Value[]) => shapeHardware(new Figures(sent, [], []), []);

/** Few labels, so that series of one thing meet. */
const label = fc.constantFrom(
  '',
  'md0',
  'active',
  'inactive',
  'recovering',
  'Battery',
  'security',
  'online',
  '1'.repeat(300),
);
const value = fc.oneof(fc.constantFrom(0, 1, 2, 1e9, 2 ** 64), fc.double({ min: 0, max: 2 ** 64, noNaN: true }));
const series = fc.record({
  keyOf: fc.constantFrom(...keysOf),
  labels: fc.record(Object.fromEntries([...HARDWARE_LABELS, 'device', 'type'].map((name) => [name, label]))),
  value,
});

describe('the hardware that node_exporter sends', () => {
  it('is a valid part of a report, whatever the labels and values are', () => {
    fc.assert(
      fc.property(fc.array(series, { maxLength: 40 }), (sent) => {
        const values = sent.flatMap(({ keyOf, labels, value: number }): Value[] => {
          const key = keyOf((name) => labels[name] ?? '');
          return key === null ? [] : [[key, number, 1_795_000_000_000]];
        });
        const report = { seq: 1, ts: 1_795_000_000, up: 1, kind: 'host', window_seconds: null };
        expect(reportItem.safeParse({ ...report, ...partsOf(...values) }).success).toBe(true);
      }),
    );
  });

  it('leaves out a container of RAID metadata, which is always inactive, but no array that did not start', () => {
    const inactive = (name: string, blocks: number): Value[] => [
      [`raid\t${name}\tactive`, 0, 1],
      [`raid\t${name}\trequired`, 0, 1],
      [`raid\t${name}\tfailed`, 0, 1],
      [`raid\t${name}\tspare`, 2, 1],
      [`raid\t${name}\tblocks`, blocks, 1],
      [`raid-state\t${name}\tinactive`, 1, 1],
    ];
    const { raid } = partsOf(...inactive('md127', 10_402), ...inactive('md0', 488_254_464));
    expect(raid?.map(({ name, state }) => [name, state])).toEqual([['md0', 'inactive']]);
  });

  it('tells two chips of one driver and two sensors of one label apart', () => {
    const { temperatures } = partsOf(
      ['chip-name\tnvme_nvme0\tnvme', 1, 1],
      ['chip-name\tnvme_nvme1\tnvme', 1, 1],
      ['sensor-label\tnvme_nvme0\ttemp1\tOther', 1, 1],
      ['sensor-label\tnvme_nvme0\ttemp2\tOther', 1, 1],
      ['temperature\tnvme_nvme0\ttemp1\tnow', 40, 1],
      ['temperature\tnvme_nvme0\ttemp2\tnow', 41, 1],
      ['temperature\tnvme_nvme1\ttemp1\tnow', 42, 1],
    );
    expect(temperatures?.map(({ chip, label: shown }) => `${chip}: ${shown}`)).toEqual([
      'nvme (nvme_nvme0): Other (temp1)',
      'nvme (nvme_nvme0): Other (temp2)',
      'nvme (nvme_nvme1): temp1',
    ]);
  });

  it('shows no sensor that its driver calls faulty, and no zone that a chip shows already', () => {
    const { temperatures } = partsOf(
      ['chip-name\tplatform_coretemp_0\tcoretemp', 1, 1],
      ['temperature\tplatform_coretemp_0\ttemp1\tnow', 40, 1],
      ['temperature\tplatform_coretemp_0\ttemp2\tnow', 0, 1],
      ['temperature\tplatform_coretemp_0\ttemp2\tfault', 1, 1],
      ['thermal-zone\t0\tx86_pkg_temp', 40, 1],
      ['thermal-zone\t1\tINT3400 Thermal', 20, 1],
      ['thermal-zone\t2\tacpitz', 27.8, 1],
    );
    expect(temperatures?.map(({ chip, celsius }) => [chip, celsius])).toEqual([
      ['coretemp', 40],
      ['acpitz', 27.8],
    ]);
  });

  it('shows no temperature of a sensor that is not connected, and no limit that no hardware has', () => {
    const { temperatures } = partsOf(
      ['temperature\tnct\ttemp1\tnow', 127.5, 1],
      ['temperature\tnct\ttemp2\tnow', 0, 1],
      ['temperature\tnct\ttemp3\tnow', 41, 1],
      ['temperature\tnct\ttemp3\tcritical', 0, 1],
      ['thermal-zone\t0\tsoc-thermal', 0, 1],
    );
    expect(temperatures).toEqual([{ chip: 'nct', label: 'temp3', celsius: 41, critical_celsius: null }]);
    expect(partsOf(['drive\t/dev/sda\tcelsius', 0, 1]).drives?.[0]?.celsius).toBeNull();
  });

  it('calls no machine at the mains one on battery, and shows no battery of a mouse', () => {
    const battery: Value = ['supply-info\tBAT0\tBattery\tDischarging\t\t\tSystem', 1, 1];
    const mouse: Value = ['supply-info\thidpp_battery_0\tBattery\tDischarging\t\t\tDevice', 1, 1];
    const mains = (online: number, type = 'Mains'): Value[] => [
      [`supply-info\tAC\t${type}\t\t\t\t`, 1, 1],
      ['supply\tAC\tonline', online, 1],
    ];
    const shown = (...sent: Value[]) => partsOf(...sent).power?.map((one) => [one.name, one.on_battery]);
    expect(shown(battery, mouse, ...mains(1))).toEqual([['BAT0', false]]);
    expect(shown(battery, ...mains(0))).toEqual([['BAT0', true]]);
    expect(shown(battery, ...mains(1, 'USB'))).toEqual([['BAT0', false]]);
  });

  it('counts security updates by their origin, and names no number for repositories of yum', () => {
    expect(partsOf(['updates\tyum\tbaseos', 4, 1], ['updates\tyum\tappstream', 3, 1]).updates).toMatchObject({
      pending: 7,
      security: null,
      reboot_required: null,
    });
    expect(
      partsOf(['updates\tapt\tUbuntu:22.04/jammy-updates,Ubuntu:22.04/jammy-security\tall', 34, 1]).updates,
    ).toMatchObject({ pending: 34, security: 34 });
  });

  it('names the devices of btrfs that counted errors', () => {
    const { pools } = partsOf(
      ['btrfs\tu1\tdata', 1, 1],
      ['btrfs-device\tu1\tsdb', 1e12, 1],
      ['btrfs-device\tu1\tsdc', 1e12, 1],
      ['btrfs-errors\tu1\tsdc\tcorruption', 7, 1],
      ['btrfs-errors\tu1\tsdb\tread', 0, 1],
    );
    expect(pools).toMatchObject([{ name: 'data', devices: 2, errors: 7, errors_at: 'sdc: 7 corruption' }]);
  });

  it('reads the drives of smartmon.sh, whose names are paths', () => {
    const { drives } = partsOf(
      ['drive-info\t/dev/sda\tsat\tWDC WD40EFRX', 1, 1],
      ['drive-info\t/dev/bus/0\tsat+megaraid,4\tST4000NM', 1, 1],
      ['drive\t/dev/sda\thealthy', 0, 1],
      ['drive\t/dev/sda\tpending', 8, 1],
      ['drive\t/dev/bus/0\thealthy', 1, 1],
    );
    expect(
      drives?.map(({ device, model, protocol, passed, pending }) => [device, model, protocol, passed, pending]),
    ).toEqual([
      ['bus/0', 'ST4000NM', 'ata', true, null],
      ['sda', 'WDC WD40EFRX', 'ata', false, 8],
    ]);
  });
});
