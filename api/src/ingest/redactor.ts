import { hash } from 'node:crypto';
import { redactCommand } from '@plimsoll/contract/redact';
import { REDACTED } from '@plimsoll/contract/redact-shapes';
import { redactText } from '@plimsoll/contract/redact-text';
import { sanitizeText } from './sanitize.ts';

/** Entries of one cache. The longest texts of a full cache take 20 MB. */
const MOST_ENTRIES = 20_000;

/**
 * Redacts each distinct text once. Hosts send the same command lines every minute, and redacting one takes 8 µs and up
 * to 0.8 µs a byte. Texts without a secret are stored as they are; a text with a secret is stored as its hash only.
 */
export class RedactedTexts {
  readonly #redact: (text: string) => string;
  readonly #harmless = new Set<string>();
  readonly #redacted = new Map<string, string>();

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  get(text: string): string | undefined {
    if (this.#harmless.has(text)) return text;
    return this.#redacted.size === 0 ? undefined : this.#redacted.get(hash('sha256', text, 'base64'));
  }

  add(text: string): string {
    // Redaction can lengthen a text, so the limit is applied once more.
    const redacted = sanitizeText(this.#redact(text));
    const entries = redacted === text ? this.#harmless : this.#redacted;
    if (entries.size >= MOST_ENTRIES) entries.clear();
    if (redacted === text) this.#harmless.add(text);
    else this.#redacted.set(hash('sha256', text, 'base64'), redacted);
    return redacted;
  }
}

/** One cache a thread: requests that are read in the worker do not displace the entries of the others. */
const commandLines = new RedactedTexts(redactCommand);
const proses = new RedactedTexts(redactText);

/** A single word this short matches no rule: it has no separator, and issued tokens have 16 characters and more. */
const HARMLESS = /^[\w./-]{0,15}$/;

/**
 * Redacts the texts of one request within a budget of bytes. The cost of a byte has an upper bound, so the budget bounds
 * the time. Texts in the cache cost nothing.
 */
export class Redactor {
  #bytesLeft: number;
  #withheld = 0;

  constructor(budgetBytes: number) {
    this.#bytesLeft = budgetBytes;
  }

  /** Texts that the budget did not cover. */
  get withheld(): number {
    return this.#withheld;
  }

  /** The redacted command line. Beyond the budget: the name of the process alone. */
  commandLine(command: string, name: string): string {
    const redacted = this.#within(commandLines, command);
    if (redacted !== null) return redacted;
    this.#withheld += 1;
    return this.prose(name);
  }

  /** The redacted text. Beyond the budget: a mark in its place. */
  prose(text: string): string {
    if (HARMLESS.test(text)) return text;
    const redacted = this.#within(proses, text);
    if (redacted !== null) return redacted;
    this.#withheld += 1;
    return REDACTED;
  }

  #within(texts: RedactedTexts, text: string): string | null {
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (text.length > this.#bytesLeft) return null;
    this.#bytesLeft -= text.length;
    return texts.add(text);
  }
}
