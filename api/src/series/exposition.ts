import { cutText } from '@plimsoll/contract/rules/printable-text';

/** The text format of Prometheus, version 0.0.4: one metric is a name, its help and its samples. */
export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export type Labels = Readonly<Record<string, string>>;

export interface Family {
  /** With its unit last: bytes, seconds or ratio. */
  name: string;
  help: string;
}

/** Longest label value in characters. A text of a host is cut here, so that no host makes a scrape large. */
const LABEL_CHARACTERS = 256;

const escaped = (value: string): string =>
  cutText(value, LABEL_CHARACTERS).toWellFormed().replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');

const labelText = (labels: Labels): string =>
  Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',');

/** Collects the gauges of one scrape. The samples of one family stay together, as the format requires. */
export class Exposition {
  readonly #lines = new Map<string, string[]>();

  /** Adds a sample. A value that is unknown or not finite is left out: absent is not 0. */
  add({ name, help }: Family, labels: Labels, value: number | null | undefined): void {
    if (value == null || !Number.isFinite(value)) return;
    let lines = this.#lines.get(name);
    if (lines === undefined) {
      lines = [`# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, ' ')}`, `# TYPE ${name} gauge`];
      this.#lines.set(name, lines);
    }
    const text = labelText(labels);
    lines.push(text === '' ? `${name} ${String(value)}` : `${name}{${text}} ${String(value)}`);
  }

  toString(): string {
    return [...this.#lines.values()].map((lines) => `${lines.join('\n')}\n`).join('');
  }
}
