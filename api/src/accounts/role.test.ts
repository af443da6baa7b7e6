import { expect, it } from 'vitest';
import { memberOf, ownerOf } from './owner.ts';
import { holdsRole, requireRole, ROLES, roleOf } from './role.ts';

it('an admin may do what an editor may, and an editor what a viewer may', () => {
  const held = ROLES.map((role) => ROLES.filter((needed) => holdsRole(role, needed)));
  expect(held).toEqual([['viewer'], ['viewer', 'editor'], ['viewer', 'editor', 'admin']]);
});

it('a role that does not suffice is refused with a remedy', () => {
  expect(() => requireRole({ role: 'viewer' }, 'admin')).toThrow(
    expect.objectContaining({
      code: 'role_insufficient',
      message: 'This call needs the role "admin"; your role is "viewer"',
      remedy: 'Request the role "admin" from an admin of your organisation.',
    }),
  );
  expect(() => requireRole({ role: 'editor' }, 'editor')).not.toThrow();
});

it('a role stored by a later version counts as the least one', () => {
  expect(['admin', 'editor', 'auditor'].map(roleOf)).toEqual(['admin', 'editor', 'viewer']);
});

it('an account without a further membership is the admin of the organisation with its id', () => {
  expect(ownerOf('a')).toEqual({ accountId: 'a', organisationId: 'a', role: 'admin' });
  expect(memberOf({ organisationId: 'o', role: 'viewer' })).toEqual({
    accountId: 'o',
    organisationId: 'o',
    role: 'viewer',
  });
});
