/** SQL that holds for a row of the servers in `parameter`, an array of keys; null is every server of the account. */
export const inScope = (serverKey: string, parameter: string): string =>
  `(${parameter}::integer[] IS NULL OR ${serverKey} = ANY(${parameter}::integer[]))`;
