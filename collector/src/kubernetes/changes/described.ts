import { createHmac } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { DESCRIBED_LIMITS, type DescribedKind, REST_PATH } from '@plimsoll/contract/rules/described-kinds';
import { isPlainValue, isSecretName } from '@plimsoll/contract/redaction/names';
import { redactArguments, REDACTED } from '@plimsoll/contract/redaction/redact';
import { redactText } from '@plimsoll/contract/redaction/text';
import type { DescribedObject } from '@plimsoll/contract/wire/described-object';
import { clip, required, seconds } from '../watch/fields.ts';

/** Digests of values that stay in the cluster. The same value at two places has two digests. */
export interface Digester {
  /** Names the key; it changes with the cluster token. */
  key: string;
  of(place: string, value: string): string;
}

/** The key is derived from the cluster token, so that nobody without the token can try values. */
export function createDigester(token: string): Digester {
  const key = createHmac('sha256', token).update('plimsoll digests of changes 1').digest();
  const digest = (text: string): string => createHmac('sha256', key).update(text).digest('hex');
  return {
    key: digest('name of this key').slice(0, 8),
    of: (place, value) => digest(`${String(place.length)} ${place} ${value}`).slice(0, 16),
  };
}

/** The described state of one object. */
export interface Described {
  uid: string;
  kind: DescribedKind;
  namespace: string | null;
  name: string;
  by: string | null;
  editedAt: number | null;
  /** Packed fields: 1,000 Deployments take 1 MB instead of 3. Equal states are equal texts. */
  state: string;
}

type Texts = Record<string, string>;

/** One byte a character, so that the text lives in the heap and not in a buffer of its own. */
const pack = (json: string): string => deflateRawSync(json, { level: 6 }).toString('latin1');
/** Returns the fields and the digests. */
export const unpackState = (state: string): [Texts, Texts] =>
  JSON.parse(inflateRawSync(Buffer.from(state, 'latin1')).toString()) as [Texts, Texts];

/** Collects the fields of one object. Values are redacted and bounded here; what was cut or hidden carries a digest. */
export class Fields {
  readonly #uid: string;
  readonly #digester: Digester;
  readonly #texts = new Map<string, string>();
  readonly #digests = new Map<string, string>();
  readonly #rest: string[] = [];
  #bytes = 0;

  constructor(uid: string, digester: Digester) {
    this.#uid = uid;
    this.#digester = digester;
  }

  /** A scalar as its text, anything else as JSON. Nothing for what is absent or empty. */
  set(path: string, value: unknown): void {
    const raw = textOf(value);
    if (raw === null) return;
    const hidden = isSecretName(path) && !isPlainValue(raw);
    this.#put(path, raw, hidden ? REDACTED : redactText(raw));
  }

  /** One field for each entry of an object. */
  each(path: string, entries: unknown): void {
    if (typeof entries !== 'object' || entries === null) return;
    for (const [key, value] of Object.entries(entries)) this.set(`${path}.${key}`, value);
  }

  /** A command line, redacted by its words. */
  words(path: string, argv: unknown): void {
    if (!Array.isArray(argv) || argv.length === 0) return;
    const words = argv.map(String);
    this.#put(path, words.join(' '), redactText(redactArguments(words).join(' ')));
  }

  /** A value that never leaves the cluster. */
  digest(path: string, value: unknown): void {
    const raw = textOf(value) ?? '';
    if (this.#isFull(this.#digests, path, raw)) return;
    this.#digests.set(clipPath(path), this.#digester.of(`${this.#uid} ${path}`, raw));
  }

  /** The state, packed. */
  state(): string {
    if (this.#rest.length > 0)
      this.#digests.set(REST_PATH, this.#digester.of(`${this.#uid} ${REST_PATH}`, this.#rest.join('\n')));
    return pack(JSON.stringify([Object.fromEntries(this.#texts), Object.fromEntries(this.#digests)]));
  }

  #put(path: string, raw: string, safe: string): void {
    if (this.#isFull(this.#texts, path, raw)) return;
    const short = clip(safe, DESCRIBED_LIMITS.valueBytes) ?? '';
    this.#texts.set(clipPath(path), short);
    if (short !== raw) this.digest(path, raw);
  }

  /** One place is left for the digest of the rest. */
  #isFull(list: ReadonlyMap<string, string>, path: string, raw: string): boolean {
    this.#bytes += path.length + Math.min(raw.length, DESCRIBED_LIMITS.valueBytes);
    if (list.size < DESCRIBED_LIMITS.fields - 1 && this.#bytes < DESCRIBED_LIMITS.objectBytes) return false;
    this.#rest.push(`${path} ${raw}`);
    return true;
  }
}

const clipPath = (path: string): string => clip(path, DESCRIBED_LIMITS.pathCharacters) ?? '?';

function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value === 'object') {
    const text = JSON.stringify(value);
    return text === '[]' || text === '{}' ? null : text;
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}

interface Metadata {
  uid?: string;
  namespace?: string;
  name?: string;
  managedFields?: { manager?: string; time?: unknown; subresource?: string }[];
}

/** Returns who wrote the object last, and when. The status is not written by people. */
function lastEdit({ managedFields = [] }: Metadata): Pick<Described, 'by' | 'editedAt'> {
  let last: Pick<Described, 'by' | 'editedAt'> = { by: null, editedAt: null };
  for (const { manager, time, subresource } of managedFields) {
    const at = seconds(time);
    if (subresource !== 'status' && at !== null && at >= (last.editedAt ?? 0))
      last = { by: clip(manager, 128), editedAt: at };
  }
  return last;
}

/** Takes the described state out of an object of the API server. */
export function describe(
  object: unknown,
  kind: DescribedKind,
  digester: Digester,
  fill: (object: never, fields: Fields) => void,
): Described {
  const { metadata = {} } = object as { metadata?: Metadata };
  const uid = required(metadata.uid, 'metadata.uid');
  const fields = new Fields(uid, digester);
  fill(object as never, fields);
  return {
    uid,
    kind,
    namespace: clip(metadata.namespace, 253),
    name: required(metadata.name, 'metadata.name'),
    ...lastEdit(metadata),
    state: fields.state(),
  };
}

/** The form in which a report carries it. */
export function wireObject({ editedAt, state, ...head }: Described, form: number, digestKey: string): DescribedObject {
  const [fields, digests] = unpackState(state);
  return { ...head, form, digest_key: digestKey, edited_at: editedAt, fields, digests };
}
