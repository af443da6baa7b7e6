import { connectionPart } from '@plimsoll/contract/wire/connection-part';
import { processPart } from '@plimsoll/contract/wire/report';
import type { ConnectionPart } from '@plimsoll/contract/wire/connection-part';
import type { ProcessPart } from '@plimsoll/contract/wire/report';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arbitraryOf } from '../testing/arbitrary-of.ts';
import { entriesOf, valuesOf } from './list-entries.ts';

const ONE: ProcessPart = {
  pid: 7,
  name: 'nginx',
  command: 'nginx -g "daemon off;"',
  user: 'root',
  status: 'S',
  cpu_percent: null,
  memory_percent: 1.5,
  memory_bytes: 4096,
  threads: 2,
  started_at: 1,
};
const PROCESSES = fc.array(arbitraryOf(processPart) as fc.Arbitrary<ProcessPart>);
const CONNECTIONS = fc.array(arbitraryOf(connectionPart) as fc.Arbitrary<ConnectionPart>);
const stored = (value: unknown): never => JSON.parse(JSON.stringify(value)) as never;

describe('the entries of a list', () => {
  it('are the same after they were stored', () => {
    fc.assert(
      fc.property(PROCESSES, CONNECTIONS, (processes, connections) => {
        expect(entriesOf('processes', stored(valuesOf.processes(processes)))).toEqual(processes);
        expect(entriesOf('connections', stored(valuesOf.connections(connections)))).toEqual(connections);
      }),
    );
  });

  it('are stored without the names of their fields, in an order that must not change', () => {
    expect(valuesOf.processes([ONE])).toEqual([
      [7, 'nginx', 'nginx -g "daemon off;"', 'root', 'S', null, 1.5, 4096, 2, 1],
    ]);
  });

  it('of earlier versions are objects, and may lack a field that came later', () => {
    expect(entriesOf('processes', [ONE, [7, 'nginx']])).toEqual([
      ONE,
      { ...Object.fromEntries(Object.keys(ONE).map((name) => [name, null])), pid: 7, name: 'nginx' },
    ]);
  });
});
