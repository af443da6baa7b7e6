import { CUSTOM_LIMITS } from '@plimsoll/contract/rules/custom-resources';
import { NOTIFY_LIMITS } from '@plimsoll/contract/rules/notify';

/** Reads the Secrets that the chart mounts: a folder per Secret, a file per key. */
export interface MountedFiles {
  /** Names in a folder. Throws where there is none. */
  list: (folder: string) => string[];
  read: (file: string) => string;
}

/** The name comes from an object: it must not lead out of the folder. */
const SECRET_NAME = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
/** A longer value, such as a certificate, is no secret of a channel. */
const isText = (value: string): boolean =>
  value.length <= NOTIFY_LIMITS.secretCharacters && value.isWellFormed() && !value.includes('\0');
const isKey = (name: string): boolean => /^[-._a-zA-Z0-9]+$/.test(name) && !name.startsWith('..');

export class ChannelSecrets {
  readonly #folder: string | null;
  readonly #files: MountedFiles;

  /** `folder` null: the release mounts none. */
  constructor(folder: string | null, files: MountedFiles) {
    this.#folder = folder;
    this.#files = files;
  }

  /** Names of the Secrets that are mounted, also of those that do not exist yet. */
  get names(): string[] {
    if (this.#folder === null) return [];
    try {
      return this.#files
        .list(this.#folder)
        .filter((name) => SECRET_NAME.test(name))
        .toSorted();
    } catch {
      return [];
    }
  }

  /** Null: it is not mounted, or it has no keys. */
  read(name: string): Record<string, string> | null {
    if (this.#folder === null || !SECRET_NAME.test(name)) return null;
    const folder = `${this.#folder}/${name}`;
    try {
      const keys = this.#files.list(folder).filter(isKey).slice(0, CUSTOM_LIMITS.secretKeys);
      if (keys.length === 0) return null;
      const values = keys.map((key): [string, string] => [key, this.#files.read(`${folder}/${key}`)]);
      return Object.fromEntries(values.filter(([, value]) => isText(value)));
    } catch {
      return null;
    }
  }
}
