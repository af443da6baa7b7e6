import { CodedError } from '../errors.ts';

/** Returns the error for a token that no agent has, or has no more. */
export const agentTokenUnknown = (): CodedError =>
  new CodedError('agent_token_unknown', 'Agent token is unknown or revoked. Enrol again: plimsoll enrol --token …');

/** Returns the error that makes an agent stop for good (exit 78). */
export const serverDeleted = (): CodedError =>
  new CodedError('server_deleted', 'This server was deleted from the dashboard', {
    remedy: 'Enrol again to bring it back: plimsoll enrol --token …',
  });
