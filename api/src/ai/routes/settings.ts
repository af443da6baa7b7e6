import { aiSettingsAnswer, aiSettingsRequest, aiTestAnswer } from '@plimsoll/contract/wire/ai';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { changeSettings } from '../change-settings.ts';
import { deleteSettings } from '../delete-settings.ts';
import { describeSettings, settingsDeps } from '../settings.ts';

const tag = 'Assistant';
const path = '/api/ai/settings';

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
      audit: 'ai_settings_changed',
      tag,
      body: aiSettingsRequest,
      answer: aiSettingsAnswer,
    },
    async ({ actor, body }) => {
      await changeSettings(deps, actor, body);
      return describeSettings(settingsDeps(deps), actor.owner);
    },
  ),
  defineRoute(
    {
      method: 'DELETE',
      path,
      actor: 'user',
      role: 'admin',
      summary: 'Removes the model: answers then come from the figures alone',
      audit: 'ai_settings_deleted',
      tag,
      answer: z.object({}),
    },
    async ({ actor }) => {
      await deleteSettings(deps, actor);
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
      audit: null,
      notAudited: 'The call changes nothing: it requests one word from the model.',
      tag,
      answer: aiTestAnswer,
    },
    async ({ actor: { owner, personId } }) => {
      await deps.rates.ai.require(personId, deps.clock.now());
      // Read when it is needed: most installations ask no model, and its libraries take 7 MB.
      const { testModel } = await import('../test-model.ts');
      return testModel(settingsDeps(deps), owner);
    },
  ),
];
