/** Omits parameters that the request does not contain, as the type of the filter requires. */
export const given = <K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, T>);
