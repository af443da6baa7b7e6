/** Returns a number from 0 to `most`; null for anything else, which no screen could show. */
export const boundedNumber = (value: unknown, most: number): number | null =>
  typeof value === 'number' && value >= 0 && value <= most ? value : null;
