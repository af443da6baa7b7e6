import { aiSettingsAnswer, aiSettingsRequest, aiTestAnswer } from '@plimsoll/contract/wire/ai';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { CodedError } from '../../errors.ts';
import { audit } from '../../http/audit.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { describeSettings, requireOwnSettings, saveSettings, type SettingsDeps } from '../settings.ts';

const tag = 'Assistant';
const path = '/api/ai/settings';

export const settingsDeps = ({ storage, secretBox, clock, config }: Deps): SettingsDeps => ({
  store: storage.ai.settings,
  secretBox,
  clock,
  environment: config.ai && { ...config.ai, source: 'environment', allowPrivate: true },
  allowedRanges: config.allowedPrivateRanges,
});

export const aiSettingsRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      role: 'admin',
      summary: 'Returns provider, address and model of the assistant; of the key the last 4 characters',
      tag,
      answer: aiSettingsAnswer,
    },
    ({ actor: { owner } }) => describeSettings(settingsDeps(deps), owner),
  ),
  defineRoute(
    {
      method: 'PUT',
      path,
      actor: 'user',
      role: 'admin',
      summary: 'Sets provider, address, model and key of the assistant',
      tag,
      body: aiSettingsRequest,
      answer: aiSettingsAnswer,
    },
    async ({ actor: { owner, accountId }, body, http }) => {
      await saveSettings(settingsDeps(deps), owner, body);
      deps.keyChecks.forget();
      await audit(deps, http, accountId, 'ai_settings_changed', { provider: body.provider, model: body.model });
      return describeSettings(settingsDeps(deps), owner);
    },
  ),
  defineRoute(
    {
      method: 'DELETE',
      path,
      actor: 'user',
      role: 'admin',
      summary: 'Removes the model: answers then come from the figures alone',
      tag,
      answer: z.object({}),
    },
    async ({ actor: { owner, accountId }, http }) => {
      requireOwnSettings(settingsDeps(deps));
      if (!(await deps.storage.ai.settings.delete(owner)))
        throw new CodedError('not_found', 'No model is stored', { remedy: 'PUT /api/ai/settings stores one.' });
      deps.keyChecks.forget();
      await audit(deps, http, accountId, 'ai_settings_deleted');
      return {};
    },
  ),
  defineRoute(
    {
      method: 'POST',
      path: `${path}/test`,
      actor: 'user',
      role: 'admin',
      summary: 'Asks the configured model for one word and returns what happened',
      tag,
      answer: aiTestAnswer,
    },
    async ({ actor: { owner, accountId } }) => {
      await deps.rates.ai.require(accountId, deps.clock.now());
      // Read when it is needed: most installations ask no model, and its libraries take 7 MB.
      const { testModel } = await import('../test-model.ts');
      return testModel(settingsDeps(deps), owner);
    },
  ),
];
