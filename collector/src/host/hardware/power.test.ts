import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMachine } from '../../testing/machine.ts';
import { fanSource } from './fans.ts';
import { parseApcupsd, powerSource } from './power.ts';

const supply = async (name: string, values: Record<string, string>, beside: readonly string[] = []) => {
  const own = Object.entries(values).map(([file, value]) => `${name}/${file} ${value}`);
  const lines = [...own, ...beside].map((line) => `Line: sys/class/power_supply/${line}`);
  const { files, exec } = parseMachine(lines.join('\n'));
  const { part } = await powerSource(files, exec).read({ ts: 0, up: 0 });
  return part.power ?? null;
};

describe('power', () => {
  it('has no part on a machine at the mains alone', async () => {
    expect(await supply('AC', { type: 'Mains', online: '1' })).toBeNull();
    expect(await supply('hid', { type: 'Battery', scope: 'Device', capacity: '80' })).toBeNull();
    expect(await supply('BAT1', { type: 'Battery', present: '0' })).toBeNull();
  });

  it('of a UPS of the kernel', async () => {
    const ups = { type: 'UPS', status: 'Discharging', capacity: '80', time_to_empty_now: '1260', model_name: 'CP1500' };
    expect(await supply('hid-ups', ups)).toMatchObject([
      { kind: 'ups', model: 'CP1500', state: 'discharging', on_battery: true, charge_percent: 80, seconds_left: 1260 },
    ]);
  });

  it('of a battery that discharges at the mains is not the battery', async () => {
    const battery = { type: 'Battery', status: 'Discharging', capacity: '80' };
    const [online, unplugged] = ['1', '0'].map((value) => ['AC/type Mains', `AC/online ${value}`]);
    expect(await supply('BAT0', battery, online)).toMatchObject([{ state: 'discharging', on_battery: false }]);
    expect(await supply('BAT0', battery, unplugged)).toMatchObject([{ on_battery: true }]);
    const usb = ['ucsi-source-psy-USBC000:001/type USB', 'ucsi-source-psy-USBC000:001/online 1'];
    expect(await supply('BAT0', battery, usb)).toMatchObject([{ on_battery: false }]);
    const ups = { ...battery, type: 'UPS', capacity: '103' };
    expect(await supply('hid-ups', ups, online)).toMatchObject([{ on_battery: true, charge_percent: 100 }]);
  });

  it('is unknown where the driver does not know', async () => {
    expect(
      await supply('BAT0', { type: 'Battery', status: 'Unknown', energy_full: '9', energy_full_design: '0' }),
    ).toMatchObject([{ on_battery: null, charge_percent: null, seconds_left: null, health_percent: null }]);
    expect(
      await supply('BAT0', { type: 'Battery', status: 'Full', energy_full: '53', energy_full_design: '50' }),
    ).toMatchObject([{ on_battery: false, health_percent: 100 }]);
  });

  it('is unknown while apcupsd does not reach its UPS', () => {
    const text = 'UPSNAME  : rack\nSTATUS   : COMMLOST \nBCHARGE  : 100.0 Percent\nTIMELEFT : 60.0 Minutes\n';
    expect(parseApcupsd(text)).toMatchObject({
      state: 'commlost',
      on_battery: null,
      charge_percent: null,
      seconds_left: null,
    });
  });

  it('has finite figures, whatever apcupsd wrote', () => {
    const value = fc.oneof(
      fc.string(),
      fc.double().map((one) => `${String(one)} Percent`),
    );
    fc.assert(
      fc.property(value, value, (charge, load) => {
        const ups = parseApcupsd(`STATUS   : ONLINE\nBCHARGE  : ${charge}\nLOADPCT  : ${load}\n`);
        for (const one of [ups?.charge_percent, ups?.load_percent])
          expect(one === null || Number.isFinite(one)).toBe(true);
      }),
    );
  });
});

it('fans of two chips of one driver are told apart, as their temperatures are', async () => {
  const chip = (number: number, device: string) =>
    `Line: sys/class/hwmon/hwmon${String(number)}/name amdgpu\nLine: sys/class/hwmon/hwmon${String(number)}/fan1_input 900\n` +
    `SymlinkTo: sys/class/hwmon/hwmon${String(number)}/device ../../../${device}\n`;
  const { files } = parseMachine(chip(0, '0000:03:00.0') + chip(1, '0000:0a:00.0'));
  const { part } = await fanSource(files).read({ ts: 0, up: 0 });
  expect(part.fans?.map((fan) => fan.chip)).toEqual(['amdgpu 0000:03:00.0', 'amdgpu 0000:0a:00.0']);
});
