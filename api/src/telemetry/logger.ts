import { multistream, pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import { PinoPretty } from 'pino-pretty';
import { STATUS_OF_CODE } from '../errors.ts';
import { scrubSecrets } from './scrub.ts';

export type { Logger };
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Fields that hold a secret whatever their value looks like. */
const SECRET_FIELDS = ['authorization', 'cookie', 'password', 'token', 'secret', 'access_token', 'code'];

/** Codes of errors: ours, of Node, of OAuth libraries, SQLSTATE and Prisma. A code of a sign-in has no such form. */
const ERROR_CODE = /^(?:E[A-Z0-9]{2,20}|ERR_[A-Z0-9_]{1,60}|OAUTH_[A-Z_]{1,60}|[0-9A-Z]{5}|P\d{4})$/;
const isErrorCode = (value: unknown): boolean =>
  typeof value === 'number' ||
  (typeof value === 'string' && (Object.hasOwn(STATUS_OF_CODE, value) || ERROR_CODE.test(value)));

const censor = (value: unknown, path: readonly string[]): unknown =>
  path.at(-1) === 'code' && isErrorCode(value) ? value : '[redacted]';

/** Readable lines for a terminal, written to standard error. */
const pretty = (): DestinationStream =>
  PinoPretty({ destination: 2, sync: true, colorize: process.stderr.isTTY, translateTime: 'SYS:HH:MM:ss' });

interface Copy {
  level: LogLevel;
  stream: DestinationStream;
}

/**
 * JSON lines on standard error, or readable text on a terminal; standard output is left to what scripts parse. `copy`
 * gets the lines of a level of its own, always as JSON. Secrets are removed by field and again by shape from the
 * finished line.
 */
export function createLogger(
  options: { level: LogLevel; format: 'json' | 'pretty' },
  destination?: DestinationStream,
  copy?: Copy,
): Logger {
  const { level, format } = options;
  const stream = destination ?? (format === 'pretty' ? pretty() : pino.destination({ dest: 2, sync: false }));
  return pino(
    {
      level: copy === undefined ? level : lower(level, copy.level),
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_FIELDS.flatMap((f) => [f, `*.${f}`]), censor },
      hooks: { streamWrite: scrubSecrets },
    },
    copy === undefined ? stream : multistream([{ level, stream }, copy]),
  );
}

const lower = (a: LogLevel, b: LogLevel): LogLevel => (LOG_LEVELS.indexOf(a) < LOG_LEVELS.indexOf(b) ? a : b);
