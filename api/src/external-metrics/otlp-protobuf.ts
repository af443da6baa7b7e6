import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { CodedError } from '../errors.ts';
import {
  milliseconds,
  requireFew,
  TEMPORALITIES,
  valueOf,
  type Attributes,
  type Metric,
  type MetricsRequest,
  type Point,
  type Resource,
} from './otlp.ts';
import { eachField, isReadable, type Range, textOf } from './protobuf-fields.ts';
import type { Wanted } from './types.ts';

/** Decodes the protobuf encoding. A part that is not valid is left out and counted. */
export function readOtlpProtobuf(bytes: Uint8Array, wanted: Wanted): MetricsRequest {
  try {
    return new OtlpReader(bytes, wanted).read();
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw new CodedError('invalid_protobuf', 'The body is not a valid OTLP metrics request', { cause: error });
  }
}

const GAUGE = 5;
const SUM = 7;

class OtlpReader {
  readonly #reader: BinaryReader;
  readonly #bytes: Buffer;
  readonly #wanted: Wanted;
  readonly #request: MetricsRequest = { resources: [], points: 0, unreadable: 0 };

  constructor(bytes: Uint8Array, wanted: Wanted) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#reader = new BinaryReader(this.#bytes);
    this.#wanted = wanted;
  }

  read(): MetricsRequest {
    this.#eachOf({ start: 0, end: this.#bytes.length }, 1, (range) => {
      const resource: Resource = { attributes: new Map(), metrics: [] };
      this.#leaveOutUnless(() => this.#readResource(range, resource));
      if (resource.metrics.length > 0) this.#request.resources.push(resource);
    });
    return this.#request;
  }

  /** Visits the parts of one length-delimited field. No list of them is made: a body may have millions of empty ones. */
  #eachOf(range: Range, wanted: number, visit: (part: Range) => void): void {
    eachField(this.#reader, range, (field, part) => {
      if (field === wanted) visit(part);
    });
  }

  #leaveOutUnless(read: () => void): void {
    if (isReadable(read)) return;
    this.#request.points += 1;
    this.#request.unreadable += 1;
  }

  #readResource(range: Range, resource: Resource): void {
    const attributes = new Map<string, string>();
    this.#eachOf(range, 1, (part) => this.#eachOf(part, 1, (pair) => this.#addAttribute(pair, attributes)));
    resource.attributes = attributes;
    this.#eachOf(range, 2, (scope) =>
      this.#leaveOutUnless(() =>
        this.#eachOf(scope, 2, (metric) => this.#leaveOutUnless(() => this.#readMetric(metric, resource.metrics))),
      ),
    );
  }

  #readMetric(range: Range, metrics: Metric[]): void {
    let name = '';
    this.#eachOf(range, 1, (part) => {
      name = textOf(this.#bytes, part, EXTERNAL_METRICS_LIMITS.labelCharacters);
    });
    const isWanted = this.#wanted.isMetric(name);
    eachField(this.#reader, range, (kind, part) => {
      if (kind < GAUGE) return;
      const temporality = this.#countPoints(kind, part);
      if (temporality === undefined || !isWanted) return;
      const points: Point[] = [];
      this.#eachOf(part, 1, (point) => {
        if (isReadable(() => points.push(this.#point(point)))) return;
        this.#request.unreadable += 1;
      });
      if (points.length > 0) metrics.push({ name, temporality, points });
    });
  }

  /** Counts the points of a metric. Returns undefined if they are no figures: of a histogram, or of a sum of no known kind. */
  #countPoints(kind: number, range: Range): Metric['temporality'] | undefined {
    let temporality: Metric['temporality'] | undefined = kind === GAUGE ? 'current' : undefined;
    eachField(
      this.#reader,
      range,
      (field) => {
        if (field === 1) this.#request.points += 1;
      },
      (field, type) => {
        if (field !== 2 || type !== WireType.Varint || kind !== SUM) return false;
        temporality = TEMPORALITIES[this.#reader.uint32()];
        return true;
      },
    );
    requireFew(this.#request.points);
    return temporality;
  }

  #point(range: Range): Point {
    const attributes = new Map<string, string>();
    const [point, reader] = [{ from: 0, at: 0 }, this.#reader];
    let given: number | undefined;
    let flags = 0;
    eachField(
      reader,
      range,
      (field, part) => {
        if (field === 7) this.#addAttribute(part, attributes);
      },
      (field, type) => {
        const isFlags = field === 8 && type === WireType.Varint;
        if (isFlags) flags = reader.uint32();
        if (type !== WireType.Bit64) return isFlags;
        if (field === 2) point.from = milliseconds(BigInt(reader.fixed64()));
        else if (field === 3) point.at = milliseconds(BigInt(reader.fixed64()));
        else if (field === 4) given = reader.double();
        else if (field === 6) given = Number(reader.sfixed64());
        else return false;
        return true;
      },
    );
    const value = valueOf(given, flags);
    if (value === null) throw new RangeError('a point has no value');
    return { attributes, ...point, value };
  }

  /**
   * Adds a wanted attribute with a text. Values of other kinds name nothing of a host and are not read, however they
   * nest; numbers are written as texts.
   */
  #addAttribute(range: Range, attributes: Map<string, string> & Attributes): void {
    const { labelCharacters } = EXTERNAL_METRICS_LIMITS;
    let name = '';
    let given: Range | null = null;
    eachField(this.#reader, range, (field, part) => {
      if (field === 1) name = textOf(this.#bytes, part, labelCharacters);
      else if (field === 2) given = part;
    });
    if (given === null || !this.#wanted.isLabel(name)) return;
    const reader = this.#reader;
    eachField(
      reader,
      given,
      (kind, text) => {
        if (kind === 1) attributes.set(name, textOf(this.#bytes, text, labelCharacters));
      },
      (kind, type) => {
        if (kind !== 3 || type !== WireType.Varint) return false;
        attributes.set(name, String(reader.int64()));
        return true;
      },
    );
  }
}
