export const DAY_MS = 86_400_000;
/** SQL of a timestamp from a parameter in epoch ms. */
export const timestamp = (parameter: string): string => `to_timestamp(${parameter}::double precision / 1000)`;
/** SQL of epoch ms from a timestamp. */
export const milliseconds = (expression: string): string =>
  `(extract(epoch FROM ${expression}) * 1000)::double precision`;
/** SQL of what server `s` calls itself today; the name it enrolled with until its first report. */
export const HOSTNAME = `COALESCE((SELECT value->>'hostname' FROM server_fact f
  WHERE f.server_key = s.key AND f.name = 'system'), s.hostname)`;
