import { fileURLToPath } from 'node:url';
import type { EnvironmentReader } from './environment.ts';

/** A line of docs/configuration.md. */
export interface SettingRow {
  /** The environment variables that are set together. */
  names: readonly string[];
  /** Markdown: the value without the setting; – for a feature that is off without it. */
  fallback: string;
  meaning: string;
  /** Each name also exists with `_FILE` behind it: the path of a file that holds the value. */
  isSecret?: true;
  /** A number or one of a few words: the support bundle shows the value. Of any other setting it says that it is set. */
  isShown?: true;
}

/** A setting, or several that make one value: their documentation, and how the value is read. */
export interface Setting<T> {
  rows: readonly SettingRow[];
  read: (environment: EnvironmentReader) => T;
}

/** Settings by the field of `Config` that they make. */
export interface SettingGroup {
  title: string;
  settings: Readonly<Record<string, Setting<unknown>>>;
}

export type ValuesOf<Settings> = { -readonly [K in keyof Settings]: Settings[K] extends Setting<infer T> ? T : never };

/** Describes one variable; `read` receives its name. */
export const setting = <T>(
  name: string,
  row: Omit<SettingRow, 'names'>,
  read: (environment: EnvironmentReader, name: string) => T,
): Setting<T> => ({ rows: [{ names: [name], ...row }], read: (environment) => read(environment, name) });

/** Returns Markdown of a default value. */
export const code = (value: string | number): string => `\`${String(value)}\``;

/** Returns the path of a file of this checkout. */
export const inRepository = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The feature is off without the setting. */
export const NONE = '–';
export const HTTP = ['https:', 'http:'] as const;
