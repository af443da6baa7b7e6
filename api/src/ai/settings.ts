import type { AiSettings as SettingsOnWire, AiSettingsRequest } from '@plimsoll/contract/wire/ai';
import { CodedError } from '../errors.ts';
import type { Owner } from '../accounts/owner.ts';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import type { Clock } from '../clock.ts';
import type { AiSettingsStore } from './store.ts';
import type { AiSettings } from './types.ts';

export interface SettingsDeps {
  store: AiSettingsStore;
  secretBox: SecretBox;
  clock: Clock;
  /** The model in the operator's environment; null: not configured there. */
  environment: AiSettings | null;
  allowedRanges: readonly string[];
}

const KEY_END = 4;
const sealContext = (accountId: string): string => `ai_setting/${accountId}`;

/** Returns the model that answers an organisation: the operator's, else its own, else null. */
export async function currentSettings(deps: SettingsDeps, owner: Owner): Promise<AiSettings | null> {
  if (deps.environment !== null) return deps.environment;
  const stored = await deps.store.get(owner);
  if (stored === null) return null;
  const { provider, baseUrl, model, sealedKey } = stored;
  return { provider, baseUrl, model, apiKey: openKey(deps, owner, sealedKey), source: 'stored', allowPrivate: false };
}

function openKey({ secretBox }: SettingsDeps, { accountId }: Owner, sealed: Buffer | null): string | null {
  if (sealed === null) return null;
  try {
    return secretBox.open(sealed, sealContext(accountId)).toString();
  } catch {
    throw new CodedError('assistant_failed', 'The stored API key cannot be read', {
      remedy: 'The key of this installation changed. Enter the API key again in the settings of the assistant.',
    });
  }
}

export async function describeSettings(deps: SettingsDeps, owner: Owner): Promise<SettingsOnWire> {
  const { environment } = deps;
  if (environment !== null) {
    const { provider, baseUrl, model, apiKey } = environment;
    return {
      source: 'environment',
      provider,
      base_url: baseUrl,
      model,
      key_end: apiKey === null ? null : apiKey.slice(-KEY_END),
    };
  }
  const stored = await deps.store.get(owner);
  if (stored === null)
    return { source: 'none', provider: 'openai-compatible', base_url: null, model: null, key_end: null };
  const { provider, baseUrl, model, keyEnd } = stored;
  return { source: 'stored', provider, base_url: baseUrl, model, key_end: keyEnd };
}

/** Throws `ai_managed` where the operator has set the model. */
export function requireOwnSettings({ environment }: SettingsDeps): void {
  if (environment !== null)
    throw new CodedError('ai_managed', 'The operator has set the model in the environment', {
      remedy: 'Change AI_BASE_URL, AI_MODEL and AI_API_KEY there, and restart.',
    });
}

export async function saveSettings(deps: SettingsDeps, owner: Owner, request: AiSettingsRequest): Promise<void> {
  requireOwnSettings(deps);
  const url = URL.parse(request.base_url);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '')
    throw new CodedError('invalid_parameter', 'base_url: must be a web address without a password', {
      field: 'base_url',
      remedy: 'Write it as https://api.example.com/v1.',
    });
  const { provider, base_url: baseUrl, model, api_key: key } = request;
  const stored = await deps.store.get(owner);
  // A key goes to the host it was entered for, and to no other.
  if (key === undefined && stored?.sealedKey && hostOfUrl(stored.baseUrl) !== url.host)
    throw new CodedError('invalid_parameter', 'api_key: must be entered again for another host', {
      field: 'api_key',
      remedy: 'Enter the API key of the new provider, or null for none.',
    });
  const sealed =
    typeof key === 'string'
      ? { sealed: deps.secretBox.seal(Buffer.from(key), sealContext(owner.accountId)), end: key.slice(-KEY_END) }
      : key;
  await deps.store.put(owner, { provider, baseUrl, model }, sealed, deps.clock.now());
}
const hostOfUrl = (text: string): string | undefined => URL.parse(text)?.host;
