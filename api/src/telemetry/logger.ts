import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { pretty } from './pretty.ts';
import { scrubSecrets } from './scrub.ts';

export type { Logger };
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields that hold a secret whatever their value looks like. */
const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'token', 'secret', 'access_token', 'code'];

/**
 * JSON lines on standard error, or readable text on a terminal; standard output is left to what scripts parse.
 * Secrets are removed by field and again by shape from the finished line.
 */
export function createLogger(
  options: { level: LogLevel; format: 'json' | 'pretty' },
  destination?: DestinationStream,
): Logger {
  const stream = destination ?? (options.format === 'pretty' ? pretty() : pino.destination({ dest: 2, sync: false }));
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((f) => [f, `*.${f}`]), censor: '[redacted]' },
      hooks: { streamWrite: scrubSecrets },
    },
    stream,
  );
}
