import { KEYS, SECRET_KEYS, SettingError, type Settings } from '../settings.ts';
import type { LoadedSettings } from '../config.ts';
import type { Command } from './command.ts';
import { EXIT } from './exit.ts';

export const configCommand: Command = {
  summary: 'Print the settings in force and where each comes from',
  help: `plimsoll config

Every setting as "key = value", secrets only as "set", with the file or variable it comes from.
Exit status: 0 printed, 64 a setting cannot be used (named, with the remedy).`,
  options: {},
  run: async ({ terminal, settings }) => {
    const loaded = settings();
    if (loaded.tokenProblem !== null) throw new SettingError(loaded.tokenProblem);
    for (const line of describeSettings(loaded)) terminal.out(`${line}\n`);
    for (const warning of loaded.warnings) terminal.err(`${warning}\n`);
    return EXIT.ok;
  },
};

/** One line a setting; secrets are never shown. */
export function describeSettings({ settings, origins }: LoadedSettings): string[] {
  return KEYS.map((key) => `${`${key} = ${showValue(key, settings)}`.padEnd(47)} # ${origins[key] ?? 'default'}`);
}

function showValue(key: keyof Settings, settings: Settings): string {
  const value = settings[key];
  if (SECRET_KEYS.includes(key)) return value === null ? '' : '(set)';
  if (Array.isArray(value)) return value.join(', ');
  if (value !== null && typeof value === 'object') {
    return Object.entries(value)
      .map(([name, text]) => `${name}=${text}`)
      .join(', ');
  }
  return value === null ? '' : String(value);
}
