import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMachine } from '../../testing/machine.ts';
import { parseSmart } from './smart-report.ts';
import { smartSource } from './smart.ts';

const DISKS = parseMachine('Directory: sys/block/sda\nDirectory: sys/block/sdb\nDirectory: sys/block/vda\n').files;
const sound = (more: object = {}): string =>
  JSON.stringify({ device: { protocol: 'ATA' }, smart_status: { passed: true }, ...more });

/** Returns the source and the drives that it asked, in their order. */
function asking(answer: (device: string) => Promise<string>) {
  const asked: string[] = [];
  const source = smartSource(
    DISKS,
    (_, argv) => {
      asked.push(argv.at(-1) ?? '');
      return answer(argv.at(-1) ?? '');
    },
    true,
  );
  return { asked, read: (up: number) => source.read({ ts: 1000 + up, up }) };
}

describe('SMART', () => {
  it('starts no child where root does not allow it', async () => {
    const never = (): Promise<string> => Promise.reject(new Error('asked'));
    expect(await smartSource(DISKS, never, false).read({ ts: 0, up: 0 })).toEqual({ part: {} });
  });

  it('asks one drive a reading, each once an hour', async () => {
    const { asked, read } = asking(() => Promise.resolve(sound()));
    expect((await read(60)).note).toBe('not asked yet: 1 of 2 drives');
    const second = await read(120);
    expect(second.note).toBeUndefined();
    expect(second.part.drives?.map(({ device, read_at: at }) => [device, at])).toEqual([
      ['sda', 1060],
      ['sdb', 1120],
    ]);
    await read(180);
    await read(3659);
    expect(asked).toEqual(['/dev/sda', '/dev/sdb']);
    await read(3660);
    await read(3720);
    expect(asked).toEqual(['/dev/sda', '/dev/sdb', '/dev/sda', '/dev/sdb']);
  });

  it('keeps the last figures of a drive that sleeps, and asks it sooner', async () => {
    const sleeps = JSON.stringify({ smartctl: { messages: [{ string: 'Device is in STANDBY mode, exit(2)' }] } });
    const answers = [sound(), sound(), sleeps];
    const { asked, read } = asking(() => Promise.resolve(answers.shift() ?? sound()));
    await read(0);
    await read(60);
    const { part, note } = await read(3600);
    expect(part.drives?.map(({ read_at: at }) => at)).toEqual([1000, 1060]);
    expect(note).toBe('sda: Device is in STANDBY mode, exit(2)');
    await read(4200);
    expect(asked).toHaveLength(4);
  });

  it('names a program that is not installed at the drive', async () => {
    const { read } = asking(() => Promise.reject(new Error('smartctl: is not installed')));
    expect((await read(0)).note).toContain('sda: smartctl: is not installed');
  });

  it('knows the wear of an SSD only by a figure that means it', () => {
    const attribute = { id: 177, name: 'Wear_Leveling_Count', value: 93, raw: { value: 1 } };
    const wear = (more: object) => parseSmart(sound(more), 'sda', 0).drive?.wear_percent;
    const table = { ata_smart_attributes: { table: [attribute] } };
    expect(wear({ ...table, rotation_rate: 0 })).toBe(7);
    expect(wear({ ...table, rotation_rate: 7200 })).toBeNull();
    expect(wear({ ...table, endurance_used: { current_percent: 112 } })).toBe(100);
  });

  it('counts sectors without what the drive packs beside them, and has no temperature of 0', () => {
    const packed = { id: 5, name: 'Reallocated_Sector_Ct', raw: { value: 17_179_869_188, string: '4 (0 4)' } };
    const plain = { id: 197, name: 'Current_Pending_Sector', raw: { value: 2 } };
    const table = { ata_smart_attributes: { table: [packed, plain] }, temperature: { current: 0 } };
    expect(parseSmart(sound(table), 'sda', 0).drive).toMatchObject({ reallocated: 4, pending: 2, celsius: null });
  });

  it('says why there is no drive', () => {
    expect(parseSmart('smartctl 6.6', 'sda', 0).problem).toBe('smartctl printed no JSON. It needs version 7 or later');
    expect(parseSmart('{"device":{"protocol":"SCSI"}}', 'sda', 0).problem).toBe('the drive reports no health');
  });

  it('has figures in bounds or none, whatever is printed', () => {
    fc.assert(
      fc.property(fc.json(), fc.jsonValue(), fc.jsonValue(), (printed, log, table) => {
        for (const text of [
          printed,
          sound({ nvme_smart_health_information_log: log, ata_smart_attributes: { table } }),
        ]) {
          const { drive } = parseSmart(text, 'sda', 0);
          for (const one of [drive?.celsius, drive?.wear_percent, drive?.reallocated, drive?.uncorrectable])
            expect(one == null || (Number.isFinite(one) && one >= 0)).toBe(true);
        }
      }),
    );
  });
});
