import { CodedError } from '../errors.ts';

export const invalidInvitation = (): CodedError =>
  new CodedError('invitation_invalid', 'This invitation is used, expired or withdrawn', {
    remedy: 'Ask an admin of the organisation for a new link.',
  });
