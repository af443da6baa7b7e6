import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ParameterGraph, makeSparse } from './parameter-graph.ts';

type Name = string;
interface Graph {
  inputs: { name: Name; mask: number; child: number | null; values: Name | null; flags: number }[][];
  outputs: { name: Name; args: number | null; output: number | null }[][];
  roots: { name: Name; args: number | null; output: number | null }[];
}

const varint = (value: number): number[] =>
  value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
const optional = (value: number | null): number[] => varint(value === null ? 0 : value + 1);

/** Writes a graph as Prisma 7.10 does. */
function write(graph: Graph, strings: string[]): ParameterGraph {
  const index = (name: Name) => strings.indexOf(name);
  const bytes = [
    ...[graph.inputs, graph.outputs, graph.roots].flatMap(({ length }) => varint(length)),
    ...graph.inputs.flatMap((edges) => [
      ...varint(edges.length),
      ...edges.flatMap(({ name, mask, child, values, flags }) => [
        ...varint(index(name)),
        mask % 256,
        Math.floor(mask / 256),
        ...optional(child),
        ...optional(values === null ? null : index(values)),
        flags,
      ]),
    ]),
    ...[...graph.outputs, ...graph.roots.map((edge) => [edge])].flatMap((edges, at) => [
      ...(at < graph.outputs.length ? varint(edges.length) : []),
      ...edges.flatMap(({ name, args, output }) => [...varint(index(name)), ...optional(args), ...optional(output)]),
    ]),
  ];
  return { strings, graph: Buffer.from(bytes).toString('base64url') };
}

const STRINGS = Array.from({ length: 300 }, (_, at) => `field${String(at)}`);
const name = fc.constantFrom(...STRINGS);
const node = fc.option(fc.nat(2000));
const output = fc.record({ name, args: node, output: node });
const anyGraph: fc.Arbitrary<Graph> = fc.record({
  inputs: fc.array(
    fc.array(fc.record({ name, mask: fc.nat(65_535), child: node, values: fc.option(name), flags: fc.nat(255) })),
  ),
  outputs: fc.array(fc.array(output)),
  roots: fc.array(output),
});

test('a sparse graph is the same graph over strings that begin at 1,024', () => {
  fc.assert(
    fc.property(anyGraph, (graph) => {
      const sparse = makeSparse(write(graph, STRINGS));
      expect(sparse.strings.slice(1024)).toEqual(STRINGS);
      expect(sparse.graph).toBe(write(graph, sparse.strings).graph);
    }),
  );
});

const small: Graph = { inputs: [[]], outputs: [], roots: [{ name: 'field1', args: 0, output: null }] };
const written = Buffer.from(write(small, STRINGS).graph, 'base64url');

test('a graph with more in it than is known is refused', () => {
  const longer = Buffer.concat([written, Buffer.from([7])]).toString('base64url');
  expect(() => makeSparse({ strings: STRINGS, graph: longer })).toThrow('1 bytes follow the graph of parameters');
});

test('a graph that ends too early is refused', () => {
  const shorter = written.subarray(0, -1).toString('base64url');
  expect(() => makeSparse({ strings: STRINGS, graph: shorter })).toThrow('ends in the middle of an edge');
});
