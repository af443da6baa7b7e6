import { readFileSync, statSync } from 'node:fs';

/** One line per setting at fault: its name, what is wrong, what to do. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export interface OAuthClient {
  clientId: string;
  clientSecret: string;
}

export type Environment = Record<string, string | undefined>;

/** Reads settings and collects what is wrong with them, so that one start shows every mistake. */
export class EnvironmentReader {
  readonly problems: string[] = [];
  readonly #environment: Environment;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** An empty value counts as not set: compose files and charts pass those. */
  text(name: string): string | null {
    return this.#environment[name]?.trim() || null;
  }

  /** Returns true if the variable or its `_FILE` twin has a value. */
  isSet(name: string): boolean {
    return (this.text(name) ?? this.text(`${name}_FILE`)) !== null;
  }

  /** The variable, or the content of the file its `_FILE` twin names (as container secrets are mounted). */
  secret(name: string): string | null {
    const value = this.text(name);
    const file = this.text(`${name}_FILE`);
    if (file === null) return value;
    if (value !== null) return this.#fail(`${name} and ${name}_FILE are both set: keep one`);
    try {
      const content = readFileSync(file, 'utf8').trim();
      return content || this.#fail(`${name}_FILE: ${file} is empty: write the value into it`);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
      return this.#fail(`${name}_FILE: cannot read ${file} (${code}): check path and permissions`);
    }
  }

  url(name: string, protocols: readonly string[], value = this.text(name)): string | null {
    if (value === null) return null;
    const url = URL.parse(value);
    if (url && protocols.includes(url.protocol)) return value;
    return this.#fail(`${name} is not a URL: write it as ${protocols.map((p) => `${p}//…`).join(' or ')}`);
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return fallback;
    const known = choices.find((c) => c === value);
    if (known === undefined) this.#fail(`${name} is "${value}": use one of ${choices.join(', ')}`);
    return known ?? fallback;
  }

  /** A whole number of seconds from 1 to an hour. */
  seconds(name: string, fallback: number): number {
    const value = this.text(name);
    if (value === null) return fallback;
    if (/^\d{1,4}$/.test(value) && Number(value) >= 1 && Number(value) <= 3600) return Number(value);
    this.#fail(`${name} is "${value}": use a whole number of seconds from 1 to 3600`);
    return fallback;
  }

  port<T extends number | null>(name: string, fallback: T): number | T {
    const value = this.text(name);
    if (value === null) return fallback;
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65_535) return Number(value);
    this.#fail(`${name} is "${value}": use a whole number from 0 to 65535`);
    return fallback;
  }

  isReadable(file: string): boolean {
    try {
      readFileSync(file);
      return true;
    } catch {
      return false;
    }
  }

  isFolder(path: string): boolean {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  }

  list(name: string): string[] {
    return (this.text(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  /** Both or neither. */
  pair(first: string, second: string): [string, string] | null {
    const [a, b] = [this.secret(first), this.secret(second)];
    if (a !== null && b !== null) return [a, b];
    if (a !== null) this.#fail(`${first} is set but ${second} is not: set both or neither`);
    if (b !== null) this.#fail(`${second} is set but ${first} is not: set both or neither`);
    return null;
  }

  client(prefix: string): OAuthClient | null {
    const both = this.pair(`${prefix}_CLIENT_ID`, `${prefix}_CLIENT_SECRET`);
    return both && { clientId: both[0], clientSecret: both[1] };
  }

  refuse(problem: string): void {
    this.#fail(problem);
  }

  #fail(problem: string): null {
    this.problems.push(problem);
    return null;
  }
}
