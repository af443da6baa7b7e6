/** Part of a tree that react-markdown makes of an answer. */
interface TreeNode {
  type: string;
  tagName?: string;
  value?: string;
  properties?: Record<string, unknown>;
  children?: TreeNode[];
}

/** A phone has room for this many columns side by side. */
const COLUMNS_THAT_FIT = 3;

const textOf = ({ value = '', children = [] }: TreeNode): string => value + children.map(textOf).join('');
const inside = (node: TreeNode, tag: string): TreeNode[] => [
  ...(node.tagName === tag ? [node] : []),
  ...(node.children ?? []).flatMap((child) => inside(child, tag)),
];
const give = (node: TreeNode, properties: Record<string, string>): void => {
  node.properties = { ...node.properties, ...properties };
};

/**
 * Marks wide tables and names each of their cells after its column, so that a phone can show a row as a list. The roles
 * are written out, because a browser drops those of a table that is not laid out as one.
 */
export const labelCells = () => (tree: TreeNode) => {
  for (const table of inside(tree, 'table')) {
    const names = inside(table, 'th').map(textOf);
    if (names.length <= COLUMNS_THAT_FIT) continue;
    give(table, { className: 'wide', role: 'table' });
    for (const part of [...inside(table, 'thead'), ...inside(table, 'tbody')]) give(part, { role: 'rowgroup' });
    for (const head of inside(table, 'th')) give(head, { role: 'columnheader' });
    for (const row of inside(table, 'tr')) {
      give(row, { role: 'row' });
      for (const [column, cell] of inside(row, 'td').entries())
        give(cell, { role: 'cell', 'data-label': names[column] ?? '' });
    }
  }
};
