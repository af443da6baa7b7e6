import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { ownValue } from '@plimsoll/contract/rules/printable-text';
import { CodedError } from '../errors.ts';
import { eachField, isReadable, type Range, textOf } from './protobuf-fields.ts';
import type { Wanted } from './types.ts';

/** Protobuf messages of Prometheus remote write: prometheus.WriteRequest and io.prometheus.write.v2.Request. */
export type RemoteWriteVersion = 1 | 2;

export interface Series {
  labels: ReadonlyMap<string, string>;
  samples: { value: number; at: number }[];
}
export interface WriteRequest {
  /** Series of the requested metrics. */
  series: Series[];
  /** Their number in all series. */
  samples: number;
  histograms: number;
  exemplars: number;
  /** Samples of series that are no valid protobuf. They are left out, and the others are read. */
  unreadable: number;
}

const MEDIA_TYPE = /^application\/x-protobuf(?:\s*;\s*proto\s*=\s*"?([A-Za-z0-9_.]+)"?)?$/i;
const VERSIONS: Partial<Record<string, RemoteWriteVersion>> = {
  'prometheus.WriteRequest': 1,
  'io.prometheus.write.v2.Request': 2,
};

/** Throws `unsupported_media_type` for anything but a snappy block of one of the two messages. */
export function remoteWriteVersion(contentType: string | null, encoding: string | null): RemoteWriteVersion {
  const [match, message = 'prometheus.WriteRequest'] = MEDIA_TYPE.exec(contentType?.trim() ?? '') ?? [];
  const version = match === undefined ? undefined : ownValue(VERSIONS, message);
  if (version === undefined)
    throw new CodedError('unsupported_media_type', 'content-type: must be application/x-protobuf of remote write', {
      field: 'content-type',
      remedy: 'Send prometheus.WriteRequest or io.prometheus.write.v2.Request.',
    });
  if (encoding !== 'snappy')
    throw new CodedError('unsupported_media_type', 'content-encoding: must be snappy', { field: 'content-encoding' });
  return version;
}

/**
 * Decodes a request. Of series of other metrics the samples are counted, and of a wanted one only the wanted labels are
 * made: a text that a thousand labels refer to is decoded once, and never beyond the characters that are stored. A
 * library that builds an object for each message takes several times as long.
 */
export function readWriteRequest(bytes: Uint8Array, version: RemoteWriteVersion, wanted: Wanted): WriteRequest {
  try {
    return new RequestReader(bytes, version, wanted).read();
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError('invalid_protobuf', 'The body is not a valid remote write request', { cause: error });
  }
}

/** Numbers of the fields of a request and of its series. */
interface MessageFields {
  series: number;
  /** Version 2 names labels by their place in a list of texts. */
  symbols: number | null;
  labels: number;
  samples: number;
  histograms: number;
  exemplars: number;
}
const FIELDS: Record<RemoteWriteVersion, MessageFields> = {
  1: { series: 1, symbols: null, labels: 1, samples: 2, exemplars: 3, histograms: 4 },
  2: { series: 5, symbols: 4, labels: 1, samples: 2, histograms: 3, exemplars: 4 },
};
const NAME = '__name__';
/** Labels of a series whose places are kept. No exporter sends more, and a request may have millions. */
const MOST_KEPT = 64;
const NOTHING: Range = { start: 0, end: 0 };
type VisitLabel = (name: Range, value: Range) => void;

class RequestReader {
  readonly #reader: BinaryReader;
  readonly #bytes: Buffer;
  readonly #fields: MessageFields;
  readonly #wanted: Wanted;
  readonly #symbols: Range[] = [];
  /** Texts of symbols by their place. */
  readonly #texts = new Map<number, string>();
  readonly #request: WriteRequest = { series: [], samples: 0, histograms: 0, exemplars: 0, unreadable: 0 };

  constructor(bytes: Uint8Array, version: RemoteWriteVersion, wanted: Wanted) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reader = new BinaryReader(this.#bytes);
    this.#fields = FIELDS[version];
    this.#wanted = wanted;
  }

  read(): WriteRequest {
    const all = { start: 0, end: this.#bytes.length };
    const { series, symbols } = this.#fields;
    // Nothing says that the symbols come first.
    if (symbols !== null)
      eachField(this.#reader, all, (field, range) => {
        if (field === symbols) this.#addSymbol(range);
      });
    eachField(this.#reader, all, (field, range) => {
      if (field === series) this.#addSeries(range);
    });
    return this.#request;
  }

  #addSymbol(range: Range): void {
    if (this.#symbols.length >= EXTERNAL_METRICS_LIMITS.symbolsPerRequest) throw tooMany('symbols');
    this.#symbols.push(range);
  }

  #addSeries(range: Range): void {
    const request = this.#request;
    let [samples, bad] = [0, 0];
    const series = { labels: new Map<string, string>(), samples: [] };
    const isWhole = isReadable(() => {
      let name: Range | null = null;
      let labels = 0;
      const kept: [Range, Range][] = [];
      this.#eachField(
        range,
        (field) => {
          if (field === this.#fields.samples) samples += 1;
          else if (field === this.#fields.histograms) request.histograms += 1;
          else if (field === this.#fields.exemplars) request.exemplars += 1;
        },
        (label, value) => {
          if (this.#isName(label)) name = value;
          labels += 1;
          if (labels <= MOST_KEPT) kept.push([label, value]);
        },
      );
      if (request.samples + samples > EXTERNAL_METRICS_LIMITS.samplesPerRequest) throw tooMany('samples');
      if (name !== null && this.#wanted.isMetric(this.#text(name)))
        bad = this.#read(range, series, labels <= MOST_KEPT ? kept : null);
    });
    // One that breaks off before its samples counts as one, so that its loss is seen.
    if (!isWhole) samples = Math.max(1, samples);
    request.samples += samples;
    request.unreadable += isWhole ? bad : samples;
    const isEmptied = bad > 0 && bad === samples;
    if (isWhole && !isEmptied && series.labels.size > 0) request.series.push(series);
  }

  /**
   * Reads a series of a wanted metric. Returns the number of samples that are no valid protobuf: each costs itself alone.
   * `kept`: its labels; null: they are too many to be kept, and are read again.
   */
  #read(
    range: Range,
    { labels, samples }: Series & { labels: Map<string, string> },
    kept: readonly [Range, Range][] | null,
  ): number {
    let bad = 0;
    const add = (label: Range, value: Range): void => {
      const name = this.#text(label);
      if (name === NAME || this.#wanted.isLabel(name)) labels.set(name, this.#text(value));
    };
    for (const [label, value] of kept ?? []) add(label, value);
    const readSample = (field: number, part: Range): void => {
      if (field === this.#fields.samples && !isReadable(() => samples.push(this.#sample(part)))) bad += 1;
    };
    if (kept === null) this.#eachField(range, readSample, add);
    else eachField(this.#reader, range, readSample);
    return bad;
  }

  /** Visits the labels of a series, and its other length-delimited fields. */
  #eachField(range: Range, visit: (field: number, part: Range) => void, visitLabel: VisitLabel): void {
    const { labels, symbols } = this.#fields;
    const reader = this.#reader;
    let name: Range | null = null;
    // References to the symbols are a name and a value in turn. Protobuf allows one list, several, and single ones.
    const addReference = (): void => {
      const symbol = this.#symbols[reader.uint32()];
      if (symbol === undefined) throw new RangeError('a label refers to no symbol');
      if (name === null) name = symbol;
      else {
        visitLabel(name, symbol);
        name = null;
      }
    };
    eachField(
      reader,
      range,
      (field, part) => {
        if (field !== labels) return visit(field, part);
        if (symbols === null) return this.#eachPair(part, visitLabel);
        reader.pos = part.start;
        while (reader.pos < part.end) addReference();
        if (reader.pos !== part.end) throw new RangeError('a reference is longer than its list');
      },
      (field, type) => {
        if (symbols === null || field !== labels || type !== WireType.Varint) return false;
        addReference();
        return true;
      },
    );
    if (name !== null) throw new RangeError('a label has no value');
  }

  #eachPair(range: Range, visit: VisitLabel): void {
    let [name, value] = [NOTHING, NOTHING];
    eachField(this.#reader, range, (field, part) => {
      if (field === 1) name = part;
      else if (field === 2) value = part;
    });
    visit(name, value);
  }

  #sample(range: Range): { value: number; at: number } {
    const reader = this.#reader;
    const sample = { value: 0, at: 0 };
    const none = (): void => {};
    eachField(reader, range, none, (field, type) => {
      if (field === 1 && type === WireType.Bit64) sample.value = reader.double();
      else if (field === 2 && type === WireType.Varint) sample.at = Number(reader.int64());
      else return false;
      return true;
    });
    return sample;
  }

  #text(range: Range): string {
    const { labelCharacters } = EXTERNAL_METRICS_LIMITS;
    // Without symbols each text of a body is read once.
    if (this.#fields.symbols === null) return textOf(this.#bytes, range, labelCharacters);
    let text = this.#texts.get(range.start);
    if (text === undefined) {
      text = textOf(this.#bytes, range, labelCharacters);
      this.#texts.set(range.start, text);
    }
    return text;
  }

  #isName(label: Range): boolean {
    return label.end - label.start === NAME.length && this.#bytes.toString('latin1', label.start, label.end) === NAME;
  }
}

const tooMany = (what: 'samples' | 'symbols'): CodedError => {
  const { samplesPerRequest, symbolsPerRequest } = EXTERNAL_METRICS_LIMITS;
  return new CodedError('body_too_large', `Too many ${what} in one request`, {
    remedy: `Send at most ${String(what === 'samples' ? samplesPerRequest : symbolsPerRequest)}.`,
  });
};
