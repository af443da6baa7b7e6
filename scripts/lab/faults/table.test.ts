import { expect, it } from 'vitest';
import { withRows } from './table.ts';

const EMPTY = 'before\n\n<!-- table: npm run test:faults -->\n\n<!-- end of table -->\n\nafter\n';
const row = (name: string, isHeld = true) => ({ name, does: 'a | b', figures: '1 s', isHeld });

it('replaces the rows of what was run, keeps the others, and escapes what would end a cell', () => {
  const first = withRows(EMPTY, [row('memory'), row('flood', false)]);
  expect(first).toContain('| `flood` | a \\| b | 1 s | **not held** |\n| `memory` | a \\| b | 1 s | held |');
  const second = withRows(first, [row('flood')]);
  expect(second).toContain('| `flood` | a \\| b | 1 s | held |\n| `memory` |');
  expect(second.startsWith('before\n') && second.endsWith('after\n')).toBe(true);
});

it('names the marker that a document lacks', () => {
  expect(() => withRows('nothing', [])).toThrow('lacks');
});
