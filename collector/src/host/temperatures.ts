import type { TemperaturePart } from '@plimsoll/contract/wire/report';
import { REPORT_LIMITS } from '@plimsoll/contract/rules/limits';
import { cutToBytes } from './command-line.ts';
import type { Files } from '../runtime/files.ts';
import type { Source } from '../source.ts';

const ROOT = 'sys/class/hwmon';
const NAME_BYTES = 64;
/** Chips report nonsense like −273 °C or 65,261 °C for a sensor that is not wired. */
const PLAUSIBLE = { least: -60, most: 250 } as const;

/** Reads every temperature of the kernel's hwmon drivers. Virtual machines have none. */
export function temperatureSource(files: Files): Source {
  return {
    name: 'temperatures',
    instant: true,
    read: async () => {
      const found = chipsOf(files).flatMap((chip) => readChip(files, chip));
      return { part: { temperatures: found.slice(0, REPORT_LIMITS.temperatures) } };
    },
  };
}

interface Chip {
  at: string;
  name: string;
}

/** Chips by their driver's name; two drives or processors of a kind share it, so their device's tells them apart. */
function chipsOf(files: Files): Chip[] {
  const chips = files.list(ROOT).map((directory) => {
    const at = `${ROOT}/${directory}`;
    return { at, directory, name: files.optional(`${at}/name`)?.trim() ?? directory };
  });
  const names = Map.groupBy(chips, ({ name }) => name);
  return chips.map(({ at, directory, name }) => {
    if ((names.get(name)?.length ?? 0) < 2) return { at, name };
    const device = files.link(`${at}/device`)?.split('/').at(-1) ?? directory;
    // The device of "nvme" is "nvme0", that of "coretemp" is "coretemp.0", that of "k10temp" is "0000:00:18.3".
    return { at, name: device.startsWith(name) ? device : `${name} ${device}` };
  });
}

function readChip(files: Files, { at, name: chip }: Chip): TemperaturePart[] {
  return files.list(at).flatMap((file) => {
    const sensor = /^(temp\d+)_input$/.exec(file)?.[1];
    if (sensor === undefined) return [];
    const celsius = milliDegrees(files.optional(`${at}/${file}`));
    if (celsius === null) return [];
    const label = files.optional(`${at}/${sensor}_label`)?.trim() ?? sensor;
    const critical = milliDegrees(files.optional(`${at}/${sensor}_crit`));
    return [
      { chip: cutToBytes(chip, NAME_BYTES), label: cutToBytes(label, NAME_BYTES), celsius, critical_celsius: critical },
    ];
  });
}

/** Thousandths of a degree (Documentation/hwmon/sysfs-interface.rst); null for what cannot be true. */
export function milliDegrees(text: string | null): number | null {
  const value = Number(text?.trim()) / 1000;
  if (text === null || text.trim() === '' || !Number.isFinite(value)) return null;
  return value >= PLAUSIBLE.least && value <= PLAUSIBLE.most ? value : null;
}
