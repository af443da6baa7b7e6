import { hash } from 'node:crypto';
import { maskIp } from '@plimsoll/contract/rules/servers/mask-ip';
import { redactCommand } from '@plimsoll/contract/redaction/redact';
import type { TextRedactor } from '@plimsoll/contract/redaction/report';
import { REDACTED } from '@plimsoll/contract/redaction/shapes';
import { isShortWord, redactText } from '@plimsoll/contract/redaction/text';
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

/** Masked addresses as they come: the collector has masked them, and finding that out takes 0.4 µs each. */
const masked = new Set<string>();

/** Only addresses that were masked already are stored: no address is kept in memory. */
function mask(address: string): string {
  if (masked.has(address)) return address;
  const safe = maskIp(address);
  if (safe !== address) return safe;
  if (masked.size >= MOST_ENTRIES) masked.clear();
  masked.add(address);
  return address;
}

/**
 * Redacts the texts of one request within a budget of bytes. The cost of a byte has an upper bound, so the budget bounds
 * the time. Texts in the cache cost nothing.
 */
export class Redactor implements TextRedactor {
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
    if (isShortWord(text)) return text;
    const redacted = this.#within(proses, text);
    if (redacted !== null) return redacted;
    this.#withheld += 1;
    return REDACTED;
  }

  address(address: string): string {
    return mask(address);
  }

  #within(texts: RedactedTexts, text: string): string | null {
    const known = texts.get(text);
    if (known !== undefined) return known;
    if (text.length > this.#bytesLeft) return null;
    this.#bytesLeft -= text.length;
    return texts.add(text);
  }
}
