import { ROLES, type Role } from '@plimsoll/contract/rules/limits';
import { CodedError } from '../errors.ts';
import type { OrganisationId } from './ids.ts';

export { ROLES, type Role };

export interface Membership {
  organisationId: OrganisationId;
  role: Role;
}

export const holdsRole = (held: Role, needed: Role): boolean => ROLES.indexOf(held) >= ROLES.indexOf(needed);

/** Throws `role_insufficient`. */
export function requireRole({ role }: { role: Role }, needed: Role): void {
  if (!holdsRole(role, needed))
    throw new CodedError('role_insufficient', `This call needs the role "${needed}"; your role is "${role}"`, {
      remedy: `Request the role "${needed}" from an admin of your organisation.`,
    });
}

/**
 * Returns true for an operator: an admin of the organisation that the oldest account founded, which also owns the
 * machine of the API and the channel of its environment.
 */
export const isOperator = (
  { organisationId, role }: Membership,
  oldestAccount: { readonly id: string } | null,
): boolean => role === 'admin' && organisationId === oldestAccount?.id;

/** Throws `role_insufficient`. */
export function requireOperator(member: Membership, oldestAccount: { readonly id: string } | null): void {
  if (!isOperator(member, oldestAccount))
    throw new CodedError('role_insufficient', 'This call is for the operator of this installation', {
      remedy: 'Sign in as an admin of the organisation of the first account.',
    });
}

/** Returns the role as stored, and the least one for a value of a later version. */
export const roleOf = (stored: string): Role => ROLES.find((role) => role === stored) ?? 'viewer';
