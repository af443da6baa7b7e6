/** SQL of a timestamp from a parameter in epoch ms. */
export const timestamp = (parameter: string): string => `to_timestamp(${parameter}::double precision / 1000)`;
/** SQL of epoch ms from a timestamp. */
export const milliseconds = (expression: string): string =>
  `(extract(epoch FROM ${expression}) * 1000)::double precision`;
/**
 * SQL of the name server `s` is shown by: the one it was given, else what it calls itself today, else what it enrolled
 * as.
 */
export const SHOWN_NAME = `COALESCE(s.display_name, (SELECT value->>'hostname' FROM server_fact f
  WHERE f.server_key = s.key AND f.name = 'system'), s.hostname)`;
