import { expect, it } from 'vitest';
import { memberOf, ownerOf } from './owner.ts';
import { holdsRole, requireRole, ROLES, roleOf } from './role.ts';
import { organisationIdOf } from './ids.ts';

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

it('an organisation acts with the rights of its admins, a member with those of its role', () => {
  const organisationId = organisationIdOf('o');
  expect(ownerOf(organisationId)).toEqual({ organisationId: 'o', role: 'admin' });
  expect(memberOf({ organisationId, role: 'viewer' })).toEqual({ organisationId: 'o', role: 'viewer' });
});
