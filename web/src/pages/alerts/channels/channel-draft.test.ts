import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import { CHANNEL_TYPES, DEFAULT_REPEAT_MINUTES } from '@plimsoll/contract/rules/notify';
import { channelRequest, type ChannelView } from '@plimsoll/contract/wire/notify';
import { describe, expect, it } from 'vitest';
import { draftOf, draftProblems, fieldOfApi, newDraft, requestOf, withType } from './channel-draft.ts';
import type { ChannelDraft } from './channel-draft.ts';
import { CHANNEL_WORDS } from './channel-words.ts';
import { routingWords } from './routing-words.ts';

const ZONE = 'Europe/Berlin';
const VALID: Record<(typeof CHANNEL_TYPES)[number], Record<string, string>> = {
  telegram: { bot_token: '123456:ABC-DEF_ghijk', chat_id: '-1001', topic_id: '7' },
  webhook: { url: 'https://example.com/hook', secret: 'sixteen-letters-' },
  email: { host: 'smtp.example.com', port: '465', security: 'tls', from: 'a@example.com', to: 'b@x.org, c@x.org' },
  slack: { webhook_url: 'https://hooks.slack.com/services/T/B/x' },
  discord: { webhook_url: 'https://discord.com/api/webhooks/1/x' },
  ntfy: { server: 'https://ntfy.sh', topic: 'plimsoll-1' },
  teams: { webhook_url: 'https://a.logic.azure.com/workflows/x' },
  pagerduty: { routing_key: 'a'.repeat(32), region: 'eu' },
};
const filled = (type: (typeof CHANNEL_TYPES)[number], change: Partial<ChannelDraft> = {}): ChannelDraft => {
  const draft = newDraft(type, ZONE);
  return { ...draft, settings: { ...draft.settings, ...VALID[type] }, ...change };
};

describe('the set-up form of a channel', () => {
  it.each(CHANNEL_TYPES)('%s: has words for each setting of the API and for no other', (type) => {
    expect(Object.keys(CHANNEL_WORDS[type].fields).toSorted()).toEqual(
      Object.keys(CHANNEL_FORMS[type].fields).toSorted(),
    );
  });

  it.each(CHANNEL_TYPES)('%s: an empty form names what is missing, a filled one is what the API takes', (type) => {
    const wanted = Object.entries(CHANNEL_FORMS[type].fields)
      .filter(([, field]) => field.isOptional !== true && field.fallback === undefined)
      .map(([name]) => `settings.${name}`);
    expect(Object.keys(draftProblems(newDraft(type, ZONE))).toSorted()).toEqual(wanted.toSorted());
    expect(draftProblems(filled(type))).toEqual({});
    expect(channelRequest.safeParse(requestOf(filled(type))).error).toBeUndefined();
  });

  it('sends numbers as numbers and lists as lists', () => {
    expect(requestOf(filled('email')).settings).toMatchObject({ port: 465, to: ['b@x.org', 'c@x.org'] });
    expect(requestOf(filled('telegram')).settings['topic_id']).toBe(7);
  });

  it('says what is wrong with a value and how to write it', () => {
    const draft = filled('telegram', { settings: { bot_token: 'nonsense', chat_id: 'me', topic_id: 'x' } });
    expect(draftProblems(draft)).toEqual({
      'settings.bot_token': 'Must be a bot token such as 123456:ABC…',
      'settings.chat_id': 'Must be a chat id such as -100123456 or @channel.',
      'settings.topic_id': 'Must be a whole number from 1 to 2147483647.',
    });
  });

  it('keeps a stored secret that nobody types again', () => {
    const stored = {
      id: 'x',
      type: 'telegram',
      name: 'Ops',
      settings: { chat_id: '-1001' },
      secrets: { bot_token: 'hijk' },
      routing: {
        levels: ['critical', 'error'],
        tags: { env: 'prod' },
        quiet_hours: { from: '21:00', to: '06:30', time_zone: 'Asia/Tokyo', critical_passes: false },
        repeat_minutes: 120,
      },
      managed_by: 'user',
      created_at: '',
      updated_at: '',
      waiting: 0,
      last_delivery: null,
    } satisfies ChannelView;
    const draft = draftOf(stored, ZONE);
    expect(draftProblems(draft)).toHaveProperty(['settings.bot_token']);
    expect(draftProblems(draft, stored.secrets)).toEqual({});
    expect(requestOf(draft)).toEqual({
      type: 'telegram',
      name: 'Ops',
      settings: { chat_id: '-1001' },
      routing: stored.routing,
    });
    expect(routingWords(stored.routing)).toEqual([
      'Error and worse',
      'only servers with env=prod',
      'quiet 21:00–06:30 Asia/Tokyo, all alerts wait',
      'repeats every 2 hours',
    ]);
  });

  it.each(['Ops\r\nBcc: x', 'Ops\u202Egnp.exe', '\u200B'])('refuses the name %j and says what to do', (name) => {
    expect(draftProblems(filled('slack', { name }))).toEqual({
      name: expect.stringMatching(/^Must be one line .* Type it instead of pasting it\.$/) as string,
    });
  });

  it('checks the routing', () => {
    const quiet = { on: true, from: '08:00', to: '08:00', timeZone: ZONE, criticalPasses: true };
    const draft = filled('slack', { name: ' ', levels: [], tags: 'no tag!', quiet, repeat: '1' });
    expect(Object.keys(draftProblems(draft))).toEqual(['name', 'levels', 'tags', 'quiet.to', 'repeat']);
    expect(draftProblems({ ...draft, quiet: { ...quiet, on: false } })).not.toHaveProperty(['quiet.to']);
  });

  it('keeps name and routing when the kind changes, unless the name is that of the kind', () => {
    expect(withType(filled('slack', { repeat: '60' }), 'ntfy')).toMatchObject({ name: 'ntfy', repeat: '60' });
    expect(withType(filled('slack', { name: 'Ops' }), 'ntfy')).toMatchObject({
      name: 'Ops',
      settings: { server: 'https://ntfy.sh', topic: '' },
    });
  });

  it.each([
    ['settings.bot_token', 'settings.bot_token'],
    ['routing.quiet_hours.to', 'quiet.to'],
    ['name', 'name'],
    ['settings', null],
    ['settings.unknown', null],
    [null, null],
  ])('puts the error of the API about %s beside its field', (given, field) => {
    expect(fieldOfApi(newDraft('telegram', ZONE), given)).toBe(field);
  });
});

it('repeats as often as the API does unless the form says otherwise, and never where it is empty', () => {
  const routing = (draft: ReturnType<typeof newDraft>) => requestOf(draft)['routing'];
  expect(routing(newDraft('slack', ZONE))).toMatchObject({ repeat_minutes: DEFAULT_REPEAT_MINUTES });
  expect(routing(filled('slack', { repeat: '' }))).toMatchObject({ repeat_minutes: null });
});

it('says which setting does not fit the others', () => {
  const draft = newDraft('email', 'UTC');
  const settings = { ...draft.settings, host: 'relay', from: 'a@b.example', to: 'c@d.example', security: 'none' };
  expect(draftProblems({ ...draft, settings })).toEqual({});
  expect(draftProblems({ ...draft, settings: { ...settings, username: 'u' } })).toEqual({
    'settings.username': 'Must be empty without TLS: it is sent unencrypted.',
  });
});
