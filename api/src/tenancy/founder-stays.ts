import { CodedError } from '../errors.ts';
import type { Owner } from './owner.ts';

/** Throws `founder_stays` if the member founded the organisation. */
export function requireNotFounder({ organisationId }: Owner, memberId: string): void {
  if (memberId === organisationId)
    throw new CodedError(
      'founder_stays',
      'The founder of an organisation stays its admin: the servers belong to this account',
      {
        remedy: 'Move the servers to another account with "sudo plimsoll change-owner", or delete the account.',
      },
    );
}
