import { expect, test } from 'vitest';
import { type OrganisationId, organisationIdOf } from './ids.ts';
import { authorize, ownerOf } from './owner.ts';

const owner = ownerOf(organisationIdOf('mine'));
const organisationOf = ({ organisationId }: { organisationId: OrganisationId | null }) => organisationId;

test('an object of another organisation, or of none, has no proof', () => {
  const mine = { organisationId: organisationIdOf('mine') };
  expect(authorize(owner, mine, organisationOf)).toBe(mine);
  expect(authorize(owner, { organisationId: organisationIdOf('theirs') }, organisationOf)).toBeNull();
  expect(authorize(owner, { organisationId: null }, organisationOf)).toBeNull();
});
