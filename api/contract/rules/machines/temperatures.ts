/** Which temperatures can be true, for the collector and for the metrics of other agents. In °C. */

/** Chips report nonsense like −273 °C or 65,261 °C for a sensor that is not wired. */
const PLAUSIBLE = { least: -60, most: 250 } as const;
/**
 * A critical limit below this is none: firmware leaves it unset, and boards of Gigabyte report 20.8 °C for their ACPI zones
 * (lm-sensors). The least real ones are of disk drives, some 55 °C, and of sensors of the room, 42 °C.
 */
const LEAST_CRITICAL = 40;

/**
 * Returns true for the values of a sensor that is not connected: 0, and the end of a range of seven or eight bits, with
 * fractions on chips that measure halves.
 */
const isUnwired = (celsius: number): boolean => celsius === 0 || (celsius >= 127 && celsius <= 128);

/** Returns a temperature that a sensor can measure. Null: unknown, or it cannot be true. */
export function plausibleCelsius(celsius: number | null): number | null {
  if (celsius === null || !(celsius >= PLAUSIBLE.least && celsius <= PLAUSIBLE.most)) return null;
  return isUnwired(celsius) ? null : celsius;
}

/** Returns the temperature at which hardware protects itself. Null: unknown, or no hardware has such a limit. */
export function criticalCelsius(celsius: number | null): number | null {
  const plausible = plausibleCelsius(celsius);
  return plausible === null || plausible < LEAST_CRITICAL ? null : plausible;
}
