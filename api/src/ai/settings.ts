import type { AiSettings as SettingsOnWire } from '@plimsoll/contract/wire/ai';
import { CodedError } from '../errors.ts';
import type { Owner } from '../tenancy/owner.ts';
import type { SecretBox } from '../accounts/secret-encryption.ts';
import type { Deps } from '../deps.ts';
import type { AiSettingsStore } from './store.ts';
import type { AiSettings } from './types.ts';
import type { OrganisationId } from '../tenancy/ids.ts';

/** Returns what the settings of the assistant are read from. */
export const settingsDeps = ({
  storage,
  secretBox,
  config,
}: Pick<Deps, 'storage' | 'secretBox' | 'config'>): SettingsDeps => ({
  store: storage.ai.settings,
  secretBox,
  environment: config.ai && { ...config.ai, source: 'environment', allowPrivate: true },
  allowedRanges: config.allowedPrivateRanges,
});

export interface SettingsDeps {
  store: Pick<AiSettingsStore, 'get'>;
  secretBox: SecretBox;
  /** The model in the operator's environment; null: not configured there. */
  environment: AiSettings | null;
  allowedRanges: readonly string[];
}

const KEY_END = 4;
/** A shorter key shows nothing of itself. */
const SHORTEST_SHOWN = 12;
export const keyEndOf = (key: string): string => (key.length < SHORTEST_SHOWN ? '' : key.slice(-KEY_END));

export const sealContext = (organisationId: OrganisationId): string => `ai_setting/${organisationId}`;

/** Returns the model that answers an organisation: the operator's, else its own, else null. */
export async function currentSettings(deps: SettingsDeps, owner: Owner): Promise<AiSettings | null> {
  if (deps.environment !== null) return deps.environment;
  const stored = await deps.store.get(owner);
  if (stored === null) return null;
  const { provider, baseUrl, model, sealedKey } = stored;
  return { provider, baseUrl, model, apiKey: openKey(deps, owner, sealedKey), source: 'stored', allowPrivate: false };
}

function openKey({ secretBox }: SettingsDeps, { organisationId }: Owner, sealed: Buffer | null): string | null {
  if (sealed === null) return null;
  try {
    return secretBox.open(sealed, sealContext(organisationId)).toString();
  } catch {
    throw new CodedError('assistant_failed', 'The stored API key cannot be read', {
      remedy: 'The key of this installation changed. Enter the API key again in the settings of the assistant.',
    });
  }
}

/** Returns an address without user name, password and query: an operator or an earlier version may have set them. */
function shownAddress(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  if (url === null || (url.username === '' && url.password === '' && url.search === '' && url.hash === ''))
    return baseUrl;
  return `${url.origin}${url.pathname}`;
}

export async function describeSettings(deps: SettingsDeps, owner: Owner): Promise<SettingsOnWire> {
  const { environment } = deps;
  if (environment !== null) {
    const { provider, baseUrl, model, apiKey } = environment;
    return {
      source: 'environment',
      provider,
      base_url: shownAddress(baseUrl),
      model,
      key_end: apiKey === null ? null : keyEndOf(apiKey),
    };
  }
  const stored = await deps.store.get(owner);
  if (stored === null)
    return { source: 'none', provider: 'openai-compatible', base_url: null, model: null, key_end: null };
  const { provider, baseUrl, model, keyEnd } = stored;
  return { source: 'stored', provider, base_url: shownAddress(baseUrl), model, key_end: keyEnd };
}

/** Throws `ai_managed` where the operator has set the model. */
export function requireOwnSettings({ environment }: Pick<SettingsDeps, 'environment'>): void {
  if (environment !== null)
    throw new CodedError('ai_managed', 'The operator has set the model in the environment', {
      remedy: 'Change AI_BASE_URL, AI_MODEL and AI_API_KEY there, and restart.',
    });
}
