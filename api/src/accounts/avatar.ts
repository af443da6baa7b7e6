import { egressGet, EgressError } from '../egress.ts';
import { notFound } from '../errors.ts';

/** Pictures a browser draws without running anything: no SVG. */
const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const LIMITS = { maxBytes: 1_000_000, timeoutMs: 5000 } as const;

export interface Avatar {
  type: string;
  body: Buffer;
}

/** Fetched by us, so that no browser of a user asks a stranger's server. Whatever goes wrong is `not_found`. */
export async function fetchAvatar(url: string | null, allowPrivate = false): Promise<Avatar> {
  if (url === null) throw notFound('Picture');
  try {
    const { status, contentType, body } = await egressGet(url, { ...LIMITS, allowPrivate });
    const type = TYPES.find((known) => contentType.toLowerCase().startsWith(known));
    if (status !== 200 || type === undefined) throw notFound('Picture');
    return { type, body };
  } catch (error) {
    if (error instanceof EgressError) throw notFound('Picture');
    throw error;
  }
}
