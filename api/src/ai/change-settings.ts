import type { AiSettingsRequest } from '@plimsoll/contract/wire/ai';
import type { Deps } from '../deps.ts';
import { requirePublic } from '../egress.ts';
import { CodedError } from '../errors.ts';
import type { Actor } from '../tenancy/actor.ts';
import type { Owner } from '../tenancy/owner.ts';
import { keyEndOf, requireOwnSettings, sealContext, settingsDeps } from './settings.ts';
import type { StoredSettings } from './types.ts';

/** Sets provider, address, model and key. Throws `ai_managed`, and `invalid_parameter` with the field. */
export async function changeSettings(
  deps: Pick<Deps, 'storage' | 'clock' | 'secretBox' | 'config' | 'keyChecks'>,
  { owner, by }: { owner: Owner; by: Actor },
  request: AiSettingsRequest,
): Promise<void> {
  requireOwnSettings(settingsDeps(deps));
  const url = requireAddress(request.base_url);
  await requirePublic('base_url', url.href, deps.config.allowedPrivateRanges);
  const { provider, base_url: baseUrl, model, api_key: key } = request;
  const sealed =
    typeof key === 'string'
      ? { sealed: deps.secretBox.seal(Buffer.from(key), sealContext(owner.organisationId)), end: keyEndOf(key) }
      : key;
  await deps.storage.inTransaction(async ({ ai: { settings }, tenancy }) => {
    // Two changes at once must not take the key of one host to the other.
    await tenancy.teams.lock(owner);
    if (key === undefined) requireSameHost(await settings.get(owner), url);
    await settings.put(owner, { provider, baseUrl, model }, sealed, deps.clock.now());
    await tenancy.audit.record(by, 'ai_settings_changed', { provider, model, host: url.host }, deps.clock.now());
  });
  deps.keyChecks.forget();
}

/** The address is shown again, so that it may hold no secret. */
function requireAddress(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new CodedError('invalid_parameter', 'base_url: must be a web address without a password', {
      field: 'base_url',
      remedy: 'Write it as https://api.example.com/v1.',
    });
  if (url.search !== '' || url.hash !== '')
    throw new CodedError('invalid_parameter', 'base_url: must be an address without a query', {
      field: 'base_url',
      remedy: 'Write it as https://api.example.com/v1, and the key as api_key.',
    });
  return url;
}

/** A key goes to the host it was entered for, and to no other. */
function requireSameHost(stored: StoredSettings | null, { host }: URL): void {
  if (stored?.sealedKey && URL.parse(stored.baseUrl)?.host !== host)
    throw new CodedError('invalid_parameter', 'api_key: must be entered again for another host', {
      field: 'api_key',
      remedy: 'Enter the API key of the new provider, or null for none.',
    });
}
