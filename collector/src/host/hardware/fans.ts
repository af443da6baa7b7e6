import type { FanPart } from '@plimsoll/contract/wire/hardware';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Files } from '../../runtime/files.ts';
import type { Source } from '../../source.ts';
import { chipsOf, labelsOf } from '../tables/hwmon-chips.ts';

const NAME_BYTES = 64;
const LABEL_BYTES = 48;
const FAN = /^(fan\d+)_input$/;
/** No fan turns faster; drivers report 65,535 or more for one that is not connected. */
const MOST_RPM = 60_000;

/** Reads the fans of the kernel's hwmon drivers (Documentation/hwmon/sysfs-interface.rst). Virtual machines have none. */
export function fanSource(files: Files): Source {
  return {
    name: 'fans',
    instant: true,
    read: async () => {
      const fans = chipsOf(files).flatMap(({ at, name }) => readChip(files, at, name));
      return { part: fans.length === 0 ? {} : { fans } };
    },
  };
}

function readChip(files: Files, at: string, chip: string): FanPart[] {
  const names = new Set(files.list(at));
  const sensors = [...names].flatMap((name) => FAN.exec(name)?.[1] ?? []);
  if (sensors.length === 0) return [];
  const labels = labelsOf(files, at, sensors, LABEL_BYTES, cutToBytes);
  const flag = (sensor: string, kind: string): boolean | null =>
    names.has(`${sensor}_${kind}`) ? files.optional(`${at}/${sensor}_${kind}`)?.trim() === '1' : null;
  return sensors.flatMap((sensor, index): FanPart[] => {
    const text = files.optional(`${at}/${sensor}_input`)?.trim() ?? '';
    if (!/^\d+$/.test(text) || Number(text) > MOST_RPM || flag(sensor, 'fault') === true) return [];
    const label = cutToBytes(labels[index] ?? sensor, NAME_BYTES);
    return [{ chip: cutToBytes(chip, NAME_BYTES), label, rpm: Number(text), alarm: flag(sensor, 'alarm') }];
  });
}
