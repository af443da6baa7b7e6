/** Chips report nonsense like −273 °C or 65,261 °C for a sensor that is not wired. */
const PLAUSIBLE = { least: -60, most: 250 } as const;

/** Thousandths of a degree (Documentation/hwmon/sysfs-interface.rst); null for what cannot be true. */
export function milliDegrees(text: string | null): number | null {
  const value = Number(text?.trim()) / 1000;
  if (text === null || text.trim() === '' || !Number.isFinite(value)) return null;
  return value >= PLAUSIBLE.least && value <= PLAUSIBLE.most && !isUnwired(value) ? value : null;
}

/**
 * Returns true for the values of a sensor that is not connected: 0, and the end of a range of seven or eight bits, with
 * fractions on chips that measure halves.
 */
const isUnwired = (celsius: number): boolean => celsius === 0 || (celsius >= 127 && celsius <= 128);
