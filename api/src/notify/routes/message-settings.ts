import { messageSettings } from '@plimsoll/contract/wire/notify';
import type { Deps } from '../../deps.ts';
import { defineRoute, type Route } from '../../http/define-route.ts';
import { changeMessageSettings } from '../setup/change-message-settings.ts';

const path = '/api/notify/settings';
const tag = 'Notifications';

export const messageSettingsRoutes = (deps: Deps): Route[] => [
  defineRoute(
    {
      method: 'GET',
      path,
      actor: 'user',
      summary: 'Returns what the messages of all channels may contain',
      tag,
      answer: messageSettings,
    },
    async ({ actor }) => {
      const { quotesLogLines } = await deps.storage.notify.settings.get(actor.owner);
      return { quote_log_lines: quotesLogLines };
    },
  ),
  defineRoute(
    {
      method: 'PUT',
      path,
      actor: 'user',
      role: 'admin',
      summary: 'Changes what the messages of all channels may contain',
      audit: 'message_settings_changed',
      tag,
      body: messageSettings,
      answer: messageSettings,
    },
    async ({ actor, body }) => {
      await changeMessageSettings(deps, actor, { quotesLogLines: body.quote_log_lines });
      return body;
    },
  ),
];
