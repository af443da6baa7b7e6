import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { egressStream } from '../egress.ts';
import type { ProviderOptions } from './provider.ts';
import type { AiSettings } from './types.ts';

/** A model may think before its first word, and a local one on a processor is slow. */
const FIRST_BYTE_MS = 60_000;
const ANSWER_MS = 180_000;
const MOST_BYTES = 4 * 2 ** 20;

/**
 * Returns the model of the settings. All requests leave through the egress rules: one resolved address, no redirects,
 * bounded in time and bytes.
 */
export function createModel(settings: AiSettings, options: ProviderOptions): LanguageModel {
  const fetch = egressFetch(settings, options);
  const { baseUrl: baseURL, model, apiKey } = settings;
  if (settings.provider === 'anthropic') return createAnthropic({ baseURL, apiKey: apiKey ?? 'none', fetch })(model);
  return createOpenAICompatible({
    name: 'openai-compatible',
    baseURL,
    fetch,
    ...(apiKey !== null && { apiKey }),
  })(model);
}

const egressFetch =
  ({ allowPrivate }: AiSettings, { allowedRanges }: ProviderOptions): typeof fetch =>
  (input, init = {}) => {
    if (typeof init.body !== 'string') throw new TypeError('The request of a model must have a text as its body');
    return egressStream(input instanceof Request ? input.url : String(input), {
      method: 'POST',
      body: init.body,
      headers: Object.fromEntries(new Headers(init.headers)),
      maxBytes: MOST_BYTES,
      firstByteTimeoutMs: FIRST_BYTE_MS,
      timeoutMs: ANSWER_MS,
      allowPrivate,
      allowedRanges,
      signal: init.signal ?? undefined,
    });
  };
