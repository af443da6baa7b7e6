import type { Files } from '../../runtime/files.ts';

const ROOT = 'sys/class/hwmon';

export interface Chip {
  /** Directory of the sensors' files: that of the device in kernels before 3.15. */
  at: string;
  /** Name as shown, and as the driver gives it. */
  name: string;
  driver: string;
  /** "hwmon3". */
  directory: string;
}

/** Returns the chips by their driver's name; two drives or processors of a kind share it, so their device's tells them apart. */
export function chipsOf(files: Files): Chip[] {
  const chips = files.list(ROOT).map((directory) => {
    const at = sensorsAt(files, `${ROOT}/${directory}`);
    return { at, directory, driver: files.optional(`${at}/name`)?.trim() || directory };
  });
  const drivers = Map.groupBy(chips, ({ driver }) => driver);
  return chips.map(({ at, directory, driver }) => {
    if ((drivers.get(driver)?.length ?? 0) < 2) return { at, directory, driver, name: driver };
    const device = files.link(`${ROOT}/${directory}/device`)?.split('/').at(-1) ?? directory;
    // The device of "nvme" is "nvme0", that of "coretemp" is "coretemp.0", that of "k10temp" is "0000:00:18.3".
    return { at, directory, driver, name: device.startsWith(driver) ? device : `${driver} ${device}` };
  });
}

const SENSOR = /^(?:temp|fan)\d+_input$/;

/** Drivers of old kernels put their files beside those of the device, the name included. */
function sensorsAt(files: Files, at: string): string {
  const names = files.list(at);
  const isOld = !names.includes('name') && !names.some((name) => SENSOR.test(name)) && names.includes('device');
  return isOld ? `${at}/device` : at;
}

/** Returns the labels of sensors of one chip. dell_smm calls several of them "Other": those get their sensor's name too. */
export function labelsOf(files: Files, at: string, sensors: readonly string[], mostBytes: number, cut: Cut): string[] {
  const labels = sensors.map((sensor) => files.optional(`${at}/${sensor}_label`)?.trim() || sensor);
  return labels.map((label, index) =>
    labels.indexOf(label) === labels.lastIndexOf(label) ? label : `${cut(label, mostBytes)} (${sensors[index] ?? ''})`,
  );
}
type Cut = (text: string, mostBytes: number) => string;
