import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMachine } from '../../testing/machine.ts';
import { nutReader, parseUpsc } from './nut.ts';

/** Captured: upsc of NUT 2.8.0 (Debian 12) with the driver dummy-ups. */
const CAPTURED = `battery.charge: 86
battery.charge.low: 20
battery.runtime: 1920
battery.type: PbAc
device.mfr: EATON
device.model: Ellipse PRO 1600
device.type: ups
driver.name: dummy-ups
driver.parameter.port: rack.dev
driver.version: 2.8.0
input.voltage: 0.0
output.voltage: 230.0
ups.load: 23
ups.mfr: EATON
ups.model: Ellipse PRO 1600
ups.status: OB DISCHRG
`;

/** Rebuilt from the variables that NUT documents for the drivers usbhid-ups and blazer_usb. */
const BACK_UPS = `battery.charge: 100
battery.runtime: 1350
battery.voltage: 13.6
device.mfr: American Power Conversion
device.model: Back-UPS ES 700G
ups.load: 16
ups.status: OL CHRG
`;
const BLAZER = `battery.voltage: 27.30
input.voltage: 229.9
ups.load: 8
ups.status: OL RB
ups.type: offline / line interactive
`;
const POWER_STRIP = `device.type: pdu
outlet.1.status: on
`;

const readerOf = (...entries: string[]) => {
  const calls: string[] = [];
  const { files, exec } = parseMachine(entries.join('\n'));
  const read = nutReader(files, (file, argv, isAnswer) => {
    calls.push([file, ...argv].join(' '));
    return exec(file, argv, isAnswer);
  });
  return { read, calls };
};
const CONFIGURED = 'Line: etc/nut/nut.conf MODE=standalone';

describe('units of NUT', () => {
  it('has the figures of a unit on battery', () => {
    expect(parseUpsc('rack', CAPTURED)).toEqual({
      name: 'rack',
      kind: 'ups',
      model: 'EATON Ellipse PRO 1600',
      state: 'on battery, discharging',
      on_battery: true,
      charge_percent: 86,
      seconds_left: 1920,
      health_percent: null,
      load_percent: 23,
      read_at: null,
    });
  });

  it('has what other drivers give, and unknown for the rest', () => {
    expect(parseUpsc('ups', BACK_UPS)).toMatchObject({
      model: 'American Power Conversion Back-UPS ES 700G',
      state: 'online, charging',
      on_battery: false,
      charge_percent: 100,
    });
    expect(parseUpsc('ups', BLAZER)).toMatchObject({
      model: null,
      state: 'online, replace battery',
      on_battery: false,
      charge_percent: null,
      seconds_left: null,
      load_percent: 8,
    });
    expect(parseUpsc('strip', POWER_STRIP)).toBeNull();
  });

  it('does not show figures of the time before the unit was lost', () => {
    const lost = { on_battery: null, charge_percent: null, seconds_left: null, load_percent: null };
    expect(parseUpsc('rack', CAPTURED.replace('OB DISCHRG', 'OB NOCOMM'))).toMatchObject(lost);
    expect(parseUpsc('rack', '')).toMatchObject({ state: 'unknown', ...lost });
  });

  it('lists every unit, also one whose driver does not run', async () => {
    const { read } = readerOf(
      CONFIGURED,
      'Command: upsc localhost',
      'rack',
      'gone',
      `Command: upsc rack@localhost`,
      CAPTURED,
    );
    expect(await read(0)).toMatchObject([
      { name: 'rack', on_battery: true },
      { name: 'gone', state: 'unknown', on_battery: null },
    ]);
  });

  it('starts no child where NUT is not configured, and rarely where its server does not run', async () => {
    const absent = readerOf('Line: proc/uptime 1 1');
    expect(await absent.read(0)).toEqual([]);
    expect(absent.calls).toEqual([]);
    const stopped = readerOf(CONFIGURED);
    for (const up of [0, 60, 599, 600]) expect(await stopped.read(up)).toEqual([]);
    expect(stopped.calls).toEqual(['upsc -l localhost', 'upsc -l localhost']);
  });

  it('passes no option to the program, whatever a name is', async () => {
    const { read, calls } = readerOf(CONFIGURED, 'Command: upsc localhost', '-V', 'a b', '$(id)', 'ups', '../x');
    await read(0);
    expect(calls.slice(1)).toEqual(['upsc ups@localhost']);
  });

  it('has finite figures in their bounds, whatever a driver prints', () => {
    const value = fc.oneof(fc.string(), fc.double().map(String), fc.bigInt().map(String));
    fc.assert(
      fc.property(fc.string(), value, value, value, (status, charge, runtime, load) => {
        const unit = parseUpsc(
          'ups',
          `ups.status: ${status}\nbattery.charge: ${charge}\nbattery.runtime: ${runtime}\nups.load: ${load}\n`,
        );
        const within = (figure: number | null | undefined, most: number): boolean =>
          figure == null || (figure >= 0 && figure <= most);
        expect(within(unit?.charge_percent, 100) && within(unit?.load_percent, 1000)).toBe(true);
        expect(within(unit?.seconds_left, 1e8)).toBe(true);
        expect(Buffer.byteLength(unit?.state ?? '')).toBeLessThanOrEqual(64);
      }),
    );
  });
});
