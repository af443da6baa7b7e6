import { egressRequest, EgressError, PrivateAddressError } from '../egress.ts';
import { remediesOf, type RemedyPlace } from './remedies.ts';
import type { AiSettings } from './types.ts';

const KEY_CHECK_MS = 10_000;
const MOST_KEY_CHECK_BYTES = 2 ** 20;
const ANTHROPIC_VERSION = '2023-06-01';

export interface ProviderOptions {
  /** Private ranges that the operator opens for addresses typed into the UI. */
  allowedRanges: readonly string[];
}

/** The provider's verdict on the key; `reason` is for a person, with what to do. */
export type KeyCheck = { valid: true } | { valid: false; reason: string };

/** Asks the provider for its list of models, which needs the key and costs nothing. */
export async function checkKey(settings: AiSettings, options: ProviderOptions): Promise<KeyCheck> {
  const { apiKey, allowPrivate } = settings;
  const headers: Record<string, string> =
    settings.provider === 'anthropic'
      ? { 'x-api-key': apiKey ?? '', 'anthropic-version': ANTHROPIC_VERSION }
      : apiKey === null
        ? {}
        : { authorization: `Bearer ${apiKey}` };
  try {
    const { status } = await egressRequest(`${settings.baseUrl.replace(/\/+$/, '')}/models`, {
      headers,
      maxBytes: MOST_KEY_CHECK_BYTES,
      timeoutMs: KEY_CHECK_MS,
      allowPrivate,
      allowedRanges: options.allowedRanges,
    });
    if (status === 401 || status === 403)
      return { valid: false, reason: `The provider refuses the API key. ${remediesOf(settings.source).key}` };
    if (status >= 500) return { valid: false, reason: `The provider answers ${String(status)}. Try again later.` };
    // A server that has no list of models (404) takes questions all the same; a question tells.
    return { valid: true };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return {
      valid: false,
      reason: `The provider is not reachable: ${error.message}. ${addressRemedy(settings.source, error)}`,
    };
  }
}

/** Host that questions are sent to. */
export const hostOf = ({ baseUrl }: AiSettings): string => URL.parse(baseUrl)?.host ?? baseUrl;

/** Says what helps when the provider at the address that was entered is not reachable. */
export const addressRemedy = (place: RemedyPlace, error: EgressError): string =>
  remediesOf(place)[error instanceof PrivateAddressError ? 'privateAddress' : 'address'];
