const SUBJECT = /^system:serviceaccount:([a-z0-9.-]+:[a-z0-9.-]+)$/;

/**
 * Returns "namespace:name" of the service account that a token belongs to, for the command that grants it a right. Null
 * for a token that is no JWT of a service account. The signature is not checked: the API server does that.
 */
export function serviceAccountOf(token: string | null): string | null {
  const payload = token?.split('.')[1];
  if (payload === undefined) return null;
  try {
    const { sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { sub?: unknown };
    return (typeof sub === 'string' && SUBJECT.exec(sub)?.[1]) || null;
  } catch {
    return null;
  }
}
