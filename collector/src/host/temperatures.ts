import { criticalCelsius } from '@plimsoll/contract/rules/machines/temperatures';
import type { TemperaturePart } from '@plimsoll/contract/wire/report';
import { cutToBytes } from '../runtime/cut-to-bytes.ts';
import type { Files } from '../runtime/files.ts';
import type { Source } from '../source.ts';
import { enclosureOf, isContainer } from './enclosure/enclosure.ts';
import { chipsOf, labelsOf, type Chip } from './tables/hwmon-chips.ts';
import { milliDegrees } from './tables/milli-degrees.ts';
import { thermalZones } from './tables/thermal-zones.ts';

const NAME_BYTES = 64;
/** Bytes of a label that several sensors share: the name of the sensor follows. */
const LABEL_BYTES = 48;
/**
 * Reads every temperature of the kernel's hwmon drivers, and of the thermal zones that have no such driver: many boards
 * with ARM processors have zones alone. Virtual machines have none, and a container sees those of its host, which has them
 * in its own report.
 */
export function temperatureSource(files: Files): Source {
  const readZones = thermalZones(files);
  let isForeign: boolean | undefined;
  return {
    name: 'temperatures',
    instant: true,
    read: async () => {
      isForeign ??= isContainer(enclosureOf(files));
      if (isForeign) return { part: { temperatures: [] } };
      const shown = new Set<string>();
      const temperatures = chipsOf(files).flatMap((chip) => {
        const sensors = readChip(files, chip);
        if (sensors.length > 0) shown.add(chip.driver).add(chip.directory);
        return sensors;
      });
      return { part: { temperatures: [...temperatures, ...readZones(shown)] } };
    },
  };
}

const SENSOR = /^(temp\d+)_input$/;

function readChip(files: Files, { at, name: chip }: Chip): TemperaturePart[] {
  const names = new Set(files.list(at));
  const sensors = [...names].flatMap((file) => SENSOR.exec(file)?.[1] ?? []);
  const labels = labelsOf(files, at, sensors, LABEL_BYTES, cutToBytes);
  return sensors.flatMap((sensor, index) => {
    const celsius = milliDegrees(files.optional(`${at}/${sensor}_input`));
    if (celsius === null || isFaulty(files, names, `${at}/`, sensor)) return [];
    const shown = labels[index] ?? sensor;
    const critical = criticalCelsius(milliDegrees(files.optional(`${at}/${sensor}_crit`)));
    return [
      { chip: cutToBytes(chip, NAME_BYTES), label: cutToBytes(shown, NAME_BYTES), celsius, critical_celsius: critical },
    ];
  });
}

/** The driver says that the sensor is broken or not connected (Documentation/hwmon/sysfs-interface.rst). */
const isFaulty = (files: Files, names: ReadonlySet<string>, at: string, sensor: string): boolean =>
  names.has(`${sensor}_fault`) && files.optional(`${at}${sensor}_fault`)?.trim() === '1';
