import { criticalCelsius } from '@plimsoll/contract/rules/machines/temperatures';
import type { TemperaturePart } from '@plimsoll/contract/wire/report';
import { cutToBytes } from '../../runtime/cut-to-bytes.ts';
import type { Files } from '../../runtime/files.ts';
import { milliDegrees } from './milli-degrees.ts';

const ROOT = 'sys/class/thermal';
const NAME_BYTES = 64;

interface Zone {
  at: string;
  label: string;
  type: string;
  criticalCelsius: number | null;
}

/** Zones whose sensor another driver shows under another name: the package of an Intel processor. */
const SAME_SENSOR: Partial<Record<string, string>> = { x86_pkg_temp: 'coretemp' };
/** A zone for policies of the firmware. It has no sensor and stands at 20 °C. */
const NO_SENSOR = /^INT3400/;

/**
 * Returns a reader of the thermal zones that hwmon does not show (Documentation/driver-api/thermal/sysfs-api.rst). It takes
 * the names of the drivers that have a temperature, and of their directories. Types and trip points stay while the machine runs.
 */
export function thermalZones(files: Files): (shown: ReadonlySet<string>) => TemperaturePart[] {
  let known = new Map<string, Zone>();
  return (shown) => {
    const names = files.list(ROOT).filter((name) => name.startsWith('thermal_zone'));
    known = new Map(names.map((name) => [name, known.get(name) ?? readZone(files, name)]));
    return [...known.values()].flatMap((zone): TemperaturePart[] => {
      if (isShown(files, zone, shown)) return [];
      const celsius = milliDegrees(files.optional(`${zone.at}/temp`));
      if (celsius === null) return [];
      return [{ chip: zone.type, label: zone.label, celsius, critical_celsius: zone.criticalCelsius }];
    });
  };
}

function readZone(files: Files, name: string): Zone {
  const at = `${ROOT}/${name}`;
  const type = files.optional(`${at}/type`)?.trim() || name;
  const trip = files
    .list(at)
    .map((file) => /^(trip_point_\d+)_type$/.exec(file)?.[1])
    .find((point) => point !== undefined && files.optional(`${at}/${point}_type`)?.trim() === 'critical');
  const critical = trip === undefined ? null : criticalCelsius(milliDegrees(files.optional(`${at}/${trip}_temp`)));
  return { at, label: name, type: cutToBytes(type, NAME_BYTES), criticalCelsius: critical };
}

/** The kernel gives most zones a hwmon device, by their type with "_" for "-", and links it below the zone. */
function isShown(files: Files, { at, type }: Zone, shown: ReadonlySet<string>): boolean {
  if (NO_SENSOR.test(type)) return true;
  const other = SAME_SENSOR[type] ?? type;
  return (
    shown.has(type) ||
    shown.has(other) ||
    shown.has(type.replaceAll('-', '_')) ||
    files.list(at).some((file) => file.startsWith('hwmon') && shown.has(file))
  );
}
