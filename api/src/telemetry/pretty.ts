import type { DestinationStream } from 'pino';
import { PinoPretty } from 'pino-pretty';

/** Readable lines for a terminal, written to standard error. */
export const pretty = (): DestinationStream =>
  PinoPretty({ destination: 2, sync: true, colorize: process.stderr.isTTY, translateTime: 'SYS:HH:MM:ss' });
