import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { CodedError } from '../errors.ts';
import { eachField, type Range } from './protobuf-fields.ts';

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
}

const MEDIA_TYPE = /^application\/x-protobuf(?:\s*;\s*proto\s*=\s*"?([A-Za-z0-9_.]+)"?)?$/;
const VERSIONS: Partial<Record<string, RemoteWriteVersion>> = {
  'prometheus.WriteRequest': 1,
  'io.prometheus.write.v2.Request': 2,
};

/** Throws `unsupported_media_type` for anything but a snappy block of one of the two messages. */
export function remoteWriteVersion(contentType: string | null, encoding: string | null): RemoteWriteVersion {
  const [match, message = 'prometheus.WriteRequest'] = MEDIA_TYPE.exec(contentType?.trim() ?? '') ?? [];
  const version = match === undefined ? undefined : VERSIONS[message];
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
 * Decodes a request. `isWanted` chooses metrics by name: of other series the samples are counted, and no text but the
 * name is made. A library that builds an object for each message takes several times as long.
 */
export function readWriteRequest(
  bytes: Uint8Array,
  version: RemoteWriteVersion,
  isWanted: (name: string) => boolean,
): WriteRequest {
  try {
    return new RequestReader(bytes, version, isWanted).read();
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

class RequestReader {
  readonly #reader: BinaryReader;
  readonly #bytes: Buffer;
  readonly #fields: MessageFields;
  readonly #isWanted: (name: string) => boolean;
  readonly #symbols: Range[] = [];
  readonly #request: WriteRequest = { series: [], samples: 0, histograms: 0, exemplars: 0 };

  constructor(bytes: Uint8Array, version: RemoteWriteVersion, isWanted: (name: string) => boolean) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reader = new BinaryReader(this.#bytes);
    this.#fields = FIELDS[version];
    this.#isWanted = isWanted;
  }

  read(): WriteRequest {
    const series: Range[] = [];
    eachField(this.#reader, { start: 0, end: this.#bytes.length }, (field, range) => {
      if (field === this.#fields.series) series.push(range);
      else if (field === this.#fields.symbols) this.#symbols.push(range);
    });
    for (const range of series) this.#addSeries(range);
    return this.#request;
  }

  #addSeries(range: Range): void {
    const labels: Range[] = [];
    const samples: Range[] = [];
    eachField(this.#reader, range, (field, part) => {
      if (field === this.#fields.labels) labels.push(part);
      else if (field === this.#fields.samples) samples.push(part);
      else if (field === this.#fields.histograms) this.#request.histograms += 1;
      else if (field === this.#fields.exemplars) this.#request.exemplars += 1;
    });
    this.#request.samples += samples.length;
    if (this.#request.samples > EXTERNAL_METRICS_LIMITS.samplesPerRequest) throw tooMany('samples');
    const pairs =
      this.#fields.symbols === null
        ? labels.map((label) => this.#label(label))
        : labels.flatMap((refs) => this.#refs(refs));
    if (pairs.length > EXTERNAL_METRICS_LIMITS.labelsPerSeries) throw tooMany('labels');
    const name = pairs.find(([label]) => this.#isName(label))?.[1];
    if (name === undefined || !this.#isWanted(this.#text(name))) return;
    this.#request.series.push({
      labels: new Map(pairs.map(([label, value]) => [this.#text(label), this.#text(value)])),
      samples: samples.map((sample) => this.#sample(sample)),
    });
  }

  #label(range: Range): [Range, Range] {
    const none = { start: 0, end: 0 };
    const pair: [Range, Range] = [none, none];
    eachField(this.#reader, range, (field, part) => {
      if (field === 1) pair[0] = part;
      else if (field === 2) pair[1] = part;
    });
    return pair;
  }

  /** References to the symbols, a name and a value in turn. */
  #refs({ start, end }: Range): [Range, Range][] {
    const reader = this.#reader;
    const before = reader.pos;
    reader.pos = start;
    const symbol = (): Range => {
      const found = this.#symbols[reader.uint32()];
      if (found === undefined || reader.pos > end) throw new RangeError('a label refers to no symbol');
      return found;
    };
    const pairs: [Range, Range][] = [];
    while (reader.pos < end) pairs.push([symbol(), symbol()]);
    reader.pos = before;
    return pairs;
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

  #text({ start, end }: Range): string {
    return this.#bytes.toString('utf8', start, end);
  }

  #isName(label: Range): boolean {
    return label.end - label.start === NAME.length && this.#bytes.toString('latin1', label.start, label.end) === NAME;
  }
}

const tooMany = (what: 'samples' | 'labels'): CodedError => {
  const { samplesPerRequest, labelsPerSeries } = EXTERNAL_METRICS_LIMITS;
  return new CodedError('body_too_large', `Too many ${what} in one ${what === 'samples' ? 'request' : 'series'}`, {
    remedy: `Send at most ${String(what === 'samples' ? samplesPerRequest : labelsPerSeries)}.`,
  });
};
