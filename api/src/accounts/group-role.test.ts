import { expect, test } from 'vitest';
import { roleOfGroups } from './group-role.ts';

const RULES = { claim: 'groups', admin: ['ops'], editor: ['dev', 'qa'], viewer: ['staff'] };

test.each([
  [['staff'], 'viewer'],
  [['staff', 'qa'], 'editor'],
  [['dev', 'ops', 'staff'], 'admin'],
  [['OPS', 'op', 'ops '], null],
  [[], null],
])('the groups %j give %s', (groups, role) => {
  expect(roleOfGroups(RULES, groups)).toBe(role);
});
