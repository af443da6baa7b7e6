/** Writes figures and moments into sentences. */

const GIB = 2 ** 30;
export const fixed = (value: number, digits = 1): string => String(Number(value.toFixed(digits)));
export const clock = (at: number): string => `${new Date(at * 1000).toISOString().slice(11, 16)} UTC`;
/** To the second, for a moment that is known so. */
export const clockSecond = (at: number): string => `${new Date(at * 1000).toISOString().slice(11, 19)} UTC`;
export const gigabytes = (bytes: number): string => `${fixed(bytes / GIB, 2)} GB`;
export const megabytesPerSecond = (rate: number): string => `${fixed(rate / 2 ** 20, 2)} MB/s`;

/** Returns the items with the largest value first. */
export const mostBy = <T>(items: readonly T[], of: (item: T) => number): T[] => items.toSorted((a, b) => of(b) - of(a));
