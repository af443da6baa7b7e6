import type { Role } from '../tenancy/role.ts';

/** Groups by the role they give, and the claim that lists a person's groups. */
export interface GroupRoles {
  claim: string;
  admin: readonly string[];
  editor: readonly string[];
  viewer: readonly string[];
}

const HIGHEST_FIRST = ['admin', 'editor', 'viewer'] as const satisfies readonly Role[];

/** Returns the highest role that one of the groups gives; null: none does. Names are compared letter by letter. */
export const roleOfGroups = (rules: GroupRoles, groups: readonly string[]): Role | null =>
  HIGHEST_FIRST.find((role) => rules[role].some((group) => groups.includes(group))) ?? null;
