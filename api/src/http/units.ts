/** From base units to the units of the spec. Unknown stays null. */

/** 2^30 bytes, two decimals. */
export const gigabytes = (bytes: number | null | undefined): number | null =>
  bytes == null ? null : Math.round((bytes / 2 ** 30) * 100) / 100;

/** Milliseconds → epoch seconds. */
export const epochSeconds = (ms: number): number => ms / 1000;
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** Two decimals are what a `real` column can honestly give of a per cent. */
export const rounded = (value: number | null | undefined, decimals = 2): number | null => {
  if (value == null || !Number.isFinite(value)) return null;
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
};
