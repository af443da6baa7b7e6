import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHIPPED_FIGURES, type ShippedSample } from './shipped-figures.ts';
import { METRIC, writeRequest } from './write-request.ts';

interface Field {
  number: number;
  value: number | Buffer;
}
/** Reads any protobuf message by its wire types: 0 is a varint, 1 a double, 2 a length and that many bytes. */
function fieldsOf(message: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = message.readUInt8(at++);
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  };
  const valueOf: Record<number, () => number | Buffer> = {
    0: varint,
    1: () => message.readDoubleLE((at += 8) - 8),
    2: () => {
      const length = varint();
      return message.subarray(at, (at += length));
    },
  };
  while (at < message.length) {
    const tag = varint();
    const value = valueOf[tag % 8]?.();
    if (value === undefined) throw new Error(`wire type ${String(tag % 8)}`);
    fields.push({ number: Math.floor(tag / 8), value });
  }
  return fields;
}
const all = (message: Buffer, number: number): Buffer[] =>
  fieldsOf(message).flatMap((field) => (field.number === number ? [field.value as Buffer] : []));

const seriesOf = (request: Buffer) =>
  all(request, 1).map((series) => ({
    labels: all(series, 1).map((label) => fieldsOf(label).map(({ value }) => String(value))),
    samples: all(series, 2).map((sample) => fieldsOf(sample).map(({ value }) => value)),
  }));

const sample = fc.record<ShippedSample>({
  serverId: fc.constantFrom('a-server', '0195f3b0-0000-7000-8000-000000000000'),
  tenant: fc.constant(1),
  // Timestamps of one byte up to the year 2286.
  at: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1.6e12, max: 9.9e12 })),
  values: fc.array(fc.option(fc.double({ noNaN: true })), {
    minLength: SHIPPED_FIGURES.length,
    maxLength: SHIPPED_FIGURES.length,
  }),
});

describe('writeRequest', () => {
  it('writes every known figure once, under sorted labels', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 20 }), (samples) => {
        const written = seriesOf(writeRequest(samples)).flatMap(({ labels, samples: points }) => {
          expect(labels.map(([name]) => name)).toEqual(['__name__', 'figure', 'server']);
          expect(points).not.toEqual([]);
          const [metric, figure, server] = labels.map(([, value]) => value);
          expect(metric).toBe(METRIC);
          return points.map(([value, at]) => ({ figure, server, at, value }));
        });
        const expected = samples.flatMap(({ serverId, at, values }) =>
          values.flatMap((value, index) =>
            value === null ? [] : [{ figure: SHIPPED_FIGURES[index]?.name, server: serverId, at, value }],
          ),
        );
        const order = (points: object[]) => points.map((point) => JSON.stringify(point, negativeZero)).toSorted();
        expect(order(written)).toEqual(order(expected));
      }),
    );
  });

  it('writes the bytes that protobufjs 7 writes', () => {
    const values = SHIPPED_FIGURES.map(({ name }) => (name === 'cpu_percent' ? 12.5 : null));
    const request = writeRequest([{ serverId: 'srv', tenant: 1, at: 1_700_000_000_000, values }]);
    expect(request.toString('hex')).toBe(PROTOBUFJS);
  });
});

const negativeZero = (_key: string, value: unknown): unknown =>
  Object.is(value, -0) ? '-0' : value === Infinity ? 'inf' : value === -Infinity ? '-inf' : value;
const PROTOBUFJS =
  '0a550a1b0a085f5f6e616d655f5f120f706c696d736f6c6c5f73616d706c650a150a06666967757265120b6370755f70657263656e740a0d0a06736572766572120373727612100900000000000029401080d095ffbc31';
