import { expect, test } from 'vitest';
import { parseRefusal } from './verdict.ts';

test('a node that lacks two resources counts once, and a taint may hold a comma', () => {
  expect(
    parseRefusal(
      "0/6 nodes are available: 1 Insufficient cpu, 2 Insufficient memory, 1 node(s) had untolerated taint {dedicated: a, b}, 1 node(s) were unschedulable, 2 node(s) didn't match Pod's node affinity/selector. preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling.",
    ),
  ).toEqual({
    node: null,
    nodes: 6,
    refused: { NodeResourcesFit: 2, TaintToleration: 1, NodeUnschedulable: 1, NodeAffinity: 2 },
  });
});

test('a reason that nobody knows is an error', () => {
  expect(() => parseRefusal('0/1 nodes are available: 1 node(s) were on fire.')).toThrow('on fire');
});
