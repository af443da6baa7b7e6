import { plausibleCelsius } from '@plimsoll/contract/rules/machines/temperatures';

/** Thousandths of a degree (Documentation/hwmon/sysfs-interface.rst); null for what cannot be true. */
export function milliDegrees(text: string | null): number | null {
  const value = Number(text?.trim()) / 1000;
  return text === null || text.trim() === '' ? null : plausibleCelsius(value);
}
