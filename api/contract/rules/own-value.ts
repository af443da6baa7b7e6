/**
 * Returns what a table has for a text from outside; undefined: nothing. Every object inherits `constructor` and `__proto__`,
 * so a plain lookup finds a function or an object where a text was expected.
 */
export const ownValue = <T>(table: Readonly<Partial<Record<string, T>>>, key: string): T | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
