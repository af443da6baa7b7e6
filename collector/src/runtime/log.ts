export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Record<string, string | number | boolean | null>;
/** Writes one line. Fields hold no secrets: callers pass codes and counts, never bodies or headers. */
export type Log = (level: LogLevel, message: string, fields?: LogFields) => void;

export interface LogSettings {
  level: LogLevel;
  /** "json" for machines, "text" for a person at a terminal. */
  format: 'json' | 'text';
  write: (line: string) => void;
  now: () => number;
}

export function makeLog(settings: LogSettings): Log {
  const least = LOG_LEVELS.indexOf(settings.level);
  return (level, message, fields = {}) => {
    if (LOG_LEVELS.indexOf(level) < least) return;
    const time = new Date(settings.now() * 1000).toISOString();
    settings.write(
      settings.format === 'json' ? jsonLine(time, level, message, fields) : textLine(time, level, message, fields),
    );
  };
}

const jsonLine = (time: string, level: LogLevel, message: string, fields: LogFields): string =>
  JSON.stringify({ ...fields, time, level, msg: message });

function textLine(time: string, level: LogLevel, message: string, fields: LogFields): string {
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`);
  return `${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${message}${rest.join('')}`;
}
