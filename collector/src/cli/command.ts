import type { LoadedSettings } from '../config.ts';

/** Output of a command; tests pass their own. */
export interface Terminal {
  out: (text: string) => void;
  err: (text: string) => void;
  interactive: boolean;
}
export interface Invocation {
  options: Readonly<Record<string, string | boolean | undefined>>;
  terminal: Terminal;
  /** Reads the settings; throws SettingError. */
  settings: () => LoadedSettings;
  /** Aborts on SIGTERM, SIGINT and SIGHUP. */
  signal: AbortSignal;
}
export interface Command {
  /** One line for the list of commands. */
  summary: string;
  /** Printed by `plimsoll NAME --help`. */
  help: string;
  /** Options it takes beside --config and --help; true: the option has a value. */
  options: Readonly<Record<string, boolean>>;
  run(invocation: Invocation): Promise<number>;
}
