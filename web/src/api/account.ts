import type {
  ApiTokensAnswer,
  AuditAnswer,
  ChangePasswordRequest,
  GenerateTokenAnswer,
  RetentionAnswer,
  SessionsAnswer,
  TotpBeginAnswer,
} from '@plimsoll/contract/wire/accounts/account';
import type { EnrolmentTokensAnswer } from '@plimsoll/contract/wire/install';
import type { ClusterTokensAnswer } from '@plimsoll/contract/wire/kubernetes';
import { request } from './client.ts';
import { clearClusterToken } from './install.ts';
import type { Ask } from './query.ts';

/** Queries of the account. None is polled, because only the user changes it. */
const own = <T>(name: string, path: string): Ask<T> => ({
  queryKey: ['account', name],
  queryFn: ({ signal }) => request(path, { signal }),
});
const AUDIT_ROWS = 20;

export const apiTokensQuery = () => own<ApiTokensAnswer>('api-tokens', '/api/user/api-tokens');
export const clusterTokensQuery = () => own<ClusterTokensAnswer>('cluster-tokens', '/api/user/cluster-tokens');
/** For admins. */
export const enrolmentTokensQuery = (enabled: boolean): Ask<EnrolmentTokensAnswer> => ({
  ...own('enrolment-tokens', '/api/user/enrolment-tokens'),
  enabled,
});
export const sessionsQuery = () => own<SessionsAnswer>('sessions', '/api/auth/sessions');
export const totpQuery = () => own<{ enabled: boolean }>('totp', '/api/auth/totp');
export const retentionQuery = () => own<RetentionAnswer>('retention', '/api/user/retention-settings');
export const deletionQuery = () => own<{ deletion_at: string | null }>('deletion', '/api/user/account/deletion');
export const auditQuery = ({ limit, offset = 0 }: { limit: number; offset?: number } = { limit: AUDIT_ROWS }) => {
  const asked = own<AuditAnswer>('audit', `/api/user/audit-log?limit=${limit}${offset > 0 ? `&offset=${offset}` : ''}`);
  return { ...asked, queryKey: [...asked.queryKey, limit, offset] };
};

/** The document itself: the cookie lets the browser fetch it as a download. */
export const EXPORT_PATH = '/api/user/export';

/** Without a body it replaces the permanent token. */
export const generateToken = (body?: { name: string; scopes: readonly string[]; expires_in_days: number | null }) =>
  request<GenerateTokenAnswer>('/api/user/generate-auth-token', { method: 'POST', ...(body && { body }) });
export const revokeApiToken = (id: string) => request<unknown>(`/api/user/api-tokens/${id}`, { method: 'DELETE' });
export const revokeClusterToken = async (id: string): Promise<void> => {
  await request<unknown>(`/api/user/cluster-tokens/${id}`, { method: 'DELETE' });
  // It may be the one Setup's command carries.
  clearClusterToken();
};
export const revokeEnrolmentToken = (id: string) =>
  request<unknown>(`/api/user/enrolment-tokens/${id}`, { method: 'DELETE' });
export const endSession = (id: string) => request<unknown>(`/api/auth/sessions/${id}`, { method: 'DELETE' });

export const changePassword = (body: ChangePasswordRequest) =>
  request<unknown>('/api/auth/password', { method: 'PUT', body });

export const beginTotp = () => request<TotpBeginAnswer>('/api/auth/totp/begin', { method: 'POST' });
export const confirmTotp = (code: string) =>
  request<unknown>('/api/auth/totp/confirm', { method: 'POST', body: { code } });
export const removeTotp = (code: string) => request<unknown>('/api/auth/totp', { method: 'DELETE', body: { code } });

export const putRetention = (settings: RetentionAnswer['settings']) =>
  request<RetentionAnswer>('/api/user/retention-settings', { method: 'PUT', body: settings });
export const resetRetention = () => request<RetentionAnswer>('/api/user/retention-settings/reset', { method: 'POST' });

export const deleteAccount = (email: string, inDays: number) =>
  request<unknown>('/api/user/account', { method: 'DELETE', body: { email, in_days: inDays } });
export const keepAccount = () => request<unknown>('/api/user/account/deletion', { method: 'DELETE' });
