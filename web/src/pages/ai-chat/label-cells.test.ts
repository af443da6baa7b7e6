import { describe, expect, it } from 'vitest';
import { labelCells } from './label-cells.ts';
import { newId } from './new-id.ts';

type Node = Parameters<ReturnType<typeof labelCells>>[0];
const element = (tagName: string, ...children: Node[]): Node => ({ type: 'element', tagName, children });
const text = (value: string): Node => ({ type: 'text', value });
const tableOf = (names: readonly string[], rows: readonly (readonly string[])[]): Node =>
  element(
    'table',
    element('thead', element('tr', ...names.map((name) => element('th', text(name))))),
    element('tbody', ...rows.map((cells) => element('tr', ...cells.map((cell) => element('td', text(cell)))))),
  );
const labelled = (tree: Node): Node => {
  labelCells()(tree);
  return tree;
};
const cellsOf = (node: Node): unknown[] => [
  ...(node.tagName === 'td' ? [node.properties?.['data-label']] : []),
  ...(node.children ?? []).flatMap(cellsOf),
];

describe('a table of an answer', () => {
  it('of three columns stays as it is: a phone has room for it', () => {
    const table = labelled(tableOf(['a', 'b', 'c'], [['1', '2', '3']]));
    expect(table.properties).toBeUndefined();
    expect(cellsOf(table)).toEqual([undefined, undefined, undefined]);
  });

  it('of four names each cell after its own column', () => {
    const table = labelled(
      tableOf(
        ['host', 'CPU', 'memory', 'disk'],
        [
          ['web', '1', '2', '3'],
          ['db', '4', '5', '6'],
        ],
      ),
    );
    expect(table.properties).toEqual({ className: 'wide', role: 'table' });
    expect(cellsOf(table)).toEqual(['host', 'CPU', 'memory', 'disk', 'host', 'CPU', 'memory', 'disk']);
  });

  it('reads the name of a column through its bold and code', () => {
    const table = tableOf(['a', 'b', 'c', 'd'], [['1', '2', '3', '4']]);
    const head = table.children?.[0]?.children?.[0]?.children?.[1];
    if (head !== undefined) head.children = [text('CPU '), element('code', text('%'))];
    expect(cellsOf(labelled(table))[1]).toBe('CPU %');
  });

  it('has no name for a cell beyond its columns', () => {
    expect(cellsOf(labelled(tableOf(['a', 'b', 'c', 'd'], [['1', '2', '3', '4', '5']]))).at(-1)).toBe('');
  });

  it('inside other text is found, each of several by its own columns', () => {
    const wide = (prefix: string) =>
      tableOf(
        ['a', 'b', 'c', 'd'].map((name) => prefix + name),
        [['1', '2', '3', '4']],
      );
    const tree = labelled({ type: 'root', children: [element('p', text('x')), element('div', wide('1')), wide('2')] });
    expect(cellsOf(tree)).toEqual(['1a', '1b', '1c', '1d', '2a', '2b', '2c', '2d']);
  });
});

it('makes ids that the API takes: random UUIDs of version 4', () => {
  const ids = Array.from({ length: 200 }, newId);
  expect(ids.filter((id) => !/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toEqual(
    [],
  );
  expect(new Set(ids).size).toBe(200);
  // All four variants come up: the bits beside the fixed ones are random.
  expect(new Set(ids.map((id) => id[19])).size).toBe(4);
});
