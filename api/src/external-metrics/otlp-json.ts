import { EXTERNAL_METRICS_LIMITS } from '@plimsoll/contract/rules/limits';
import { printableText } from '@plimsoll/contract/rules/printable-text';
import { otlpAttribute, otlpPoint, otlpTemporality } from '@plimsoll/contract/wire/otlp';
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
import type { Wanted } from './types.ts';

type Fields = Partial<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Takes the parsed body of the JSON encoding. A part that is not valid is left out and counted. */
export function readOtlpJson(body: unknown, wanted: Wanted): MetricsRequest {
  if (!isFields(body)) throw new CodedError('invalid_parameter', 'body: must be an object', { field: 'body' });
  const resources = body['resourceMetrics'] ?? [];
  if (!Array.isArray(resources))
    throw new CodedError('invalid_parameter', 'resourceMetrics: must be a list', { field: 'resourceMetrics' });
  return new JsonReader(wanted).read(resources);
}

const KINDS = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const;

class JsonReader {
  readonly #wanted: Wanted;
  readonly #request: MetricsRequest = { resources: [], points: 0, unreadable: 0 };

  constructor(wanted: Wanted) {
    this.#wanted = wanted;
  }

  read(resources: readonly unknown[]): MetricsRequest {
    this.#each(resources, (fields) => this.#addResource(fields));
    return this.#request;
  }

  /** Protobuf's JSON writes a missing field as null, too. */
  #list(value: unknown): readonly unknown[] {
    if (value == null) return [];
    if (Array.isArray(value)) return value;
    this.#leaveOut();
    return [];
  }

  #each(list: readonly unknown[], visit: (fields: Fields) => void): void {
    for (const one of list)
      if (isFields(one)) visit(one);
      else this.#leaveOut();
  }

  #leaveOut(): void {
    this.#request.points += 1;
    this.#request.unreadable += 1;
  }

  #addResource({ resource, scopeMetrics }: Fields): void {
    const metrics: Metric[] = [];
    this.#each(this.#list(scopeMetrics), (scope) =>
      this.#each(this.#list(scope['metrics']), (metric) => this.#addMetric(metric, metrics)),
    );
    if (metrics.length === 0) return;
    const attributes = new Map<string, string>();
    // A bad attribute of a machine costs this attribute alone.
    for (const one of isFields(resource) ? this.#list(resource['attributes']) : []) this.#addAttribute(one, attributes);
    this.#request.resources.push({ attributes, metrics } satisfies Resource);
  }

  #addMetric(metric: Fields, metrics: Metric[]): void {
    const name = metric['name'] ?? '';
    if (typeof name !== 'string') return this.#leaveOut();
    const isWanted = this.#wanted.isMetric(printableText(name, EXTERNAL_METRICS_LIMITS.labelCharacters));
    for (const kind of KINDS) {
      const given = metric[kind];
      if (given == null) continue;
      if (!isFields(given)) this.#leaveOut();
      else this.#addPoints({ name, kind, isWanted, given }, metrics);
    }
  }

  #addPoints(
    { name, kind, isWanted, given }: { name: string; kind: (typeof KINDS)[number]; isWanted: boolean; given: Fields },
    metrics: Metric[],
  ): void {
    const list = this.#list(given['dataPoints']);
    this.#request.points += list.length;
    requireFew(this.#request.points);
    const temporality = temporalityOf(kind, given);
    if (temporality === undefined || !isWanted) return;
    const points = list.map((one) => this.#point(one)).filter((point) => point !== null);
    this.#request.unreadable += list.length - points.length;
    if (points.length > 0) metrics.push({ name, temporality, points });
  }

  #point(value: unknown): Point | null {
    const parsed = otlpPoint.safeParse(value);
    if (!parsed.success) return null;
    const { asDouble, asInt, flags, startTimeUnixNano, timeUnixNano } = parsed.data;
    const point = valueOf(asDouble ?? asInt, flags);
    if (point === null) return null;
    const attributes = new Map<string, string>();
    if (!parsed.data.attributes.every((one) => this.#addAttribute(one, attributes))) return null;
    const [from, at] = [milliseconds(startTimeUnixNano), milliseconds(timeUnixNano)];
    return { attributes, value: point, from, at };
  }

  /** Adds a wanted attribute with a text. Returns false if it is not valid, so that what it names is not known. */
  #addAttribute(one: unknown, attributes: Map<string, string> & Attributes): boolean {
    if (!isFields(one) || typeof one['key'] !== 'string') return false;
    if (!this.#wanted.isLabel(one['key'])) return true;
    const parsed = otlpAttribute.safeParse(one);
    if (!parsed.success) return false;
    const { key, value } = parsed.data;
    const text = value?.stringValue ?? value?.intValue;
    if (text !== undefined) attributes.set(key, printableText(text, EXTERNAL_METRICS_LIMITS.labelCharacters));
    return true;
  }
}

function temporalityOf(kind: (typeof KINDS)[number], given: Fields): Metric['temporality'] | undefined {
  if (kind === 'gauge') return 'current';
  const number = otlpTemporality.safeParse(given['aggregationTemporality']);
  return kind === 'sum' && number.success ? TEMPORALITIES[number.data] : undefined;
}
