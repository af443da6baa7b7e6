import { CHANNEL_FORMS } from '@plimsoll/contract/rules/channel-forms';
import type { AlertLevel } from '@plimsoll/contract/rules/limits';
import { CHANNEL_TYPES, DEFAULT_REPEAT_MINUTES, NOTIFY_LIMITS } from '@plimsoll/contract/rules/notify';
import { channelRequest, type ChannelView } from '@plimsoll/contract/wire/notify';
import { describe, expect, it } from 'vitest';
import { draftOf, draftProblems, fieldOfApi, newDraft, requestOf, settingText, withType } from './channel-draft.ts';
import type { ChannelDraft } from './channel-draft.ts';
import { CHANNEL_WORDS, shownSecret } from './channel-words.ts';
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

describe('the edges of a channel', () => {
  const { min, max } = NOTIFY_LIMITS.repeatMinutes;
  const repeats = (repeat: string) => draftProblems(filled('slack', { repeat }));

  it('repeats from five minutes to a week, or not at all', () => {
    for (const minutes of [String(min), String(max), ' 60 ', '', '  ']) expect(repeats(minutes)).toEqual({});
    for (const minutes of [String(min - 1), String(max + 1), '7.5', 'hourly', '-60'])
      expect(repeats(minutes)).toHaveProperty('repeat');
    expect(requestOf(filled('slack', { repeat: ' ' })).routing?.repeat_minutes).toBeNull();
    expect(requestOf(filled('slack', { repeat: '60' })).routing?.repeat_minutes).toBe(60);
  });

  it('has as many tags as the API takes', () => {
    const tags = (count: number) => Array.from({ length: count }, (_, index) => `t${String(index)}`).join(', ');
    expect(draftProblems(filled('slack', { tags: tags(NOTIFY_LIMITS.tags) }))).toEqual({});
    expect(draftProblems(filled('slack', { tags: tags(NOTIFY_LIMITS.tags + 1) }))).toHaveProperty('tags');
  });

  it('has a start and an end of its quiet hours, or none', () => {
    const quiet = { on: true, from: '22:00', to: '', timeZone: ZONE, criticalPasses: true };
    expect(Object.keys(draftProblems(filled('slack', { quiet })))).toEqual(['quiet.to']);
    expect(Object.keys(draftProblems(filled('slack', { quiet: { ...quiet, from: '' } })))).toEqual([
      'quiet.from',
      'quiet.to',
    ]);
    expect(requestOf(filled('slack', { quiet: { ...quiet, on: false } })).routing?.quiet_hours).toBeNull();
  });

  it('takes a stored secret away only if somebody removed it: an empty field keeps it', () => {
    const typed = filled('webhook', { settings: { url: 'https://example.com/hook', secret: '' } });
    expect(requestOf(typed).settings).toEqual({ url: 'https://example.com/hook' });
    expect(requestOf({ ...typed, removed: ['secret'] }).settings).toEqual({
      url: 'https://example.com/hook',
      secret: null,
    });
  });

  it('sends levels in their order, whatever order they were ticked in', () => {
    expect(requestOf(filled('slack', { levels: ['info', 'critical'] })).routing?.levels).toEqual(['critical', 'info']);
  });

  it('shows a list as it is typed, and nothing for a value of another form', () => {
    expect([settingText(['a@x.org', 'b@x.org']), settingText(587), settingText('x')]).toEqual([
      'a@x.org, b@x.org',
      '587',
      'x',
    ]);
    expect([settingText(null), settingText(undefined), settingText({ a: 1 })]).toEqual(['', '', '']);
  });

  it('hides a secret but its end; an address that the API shortened stays', () => {
    expect(shownSecret('f4Qk')).toBe('••••f4Qk');
    expect(shownSecret('https://example.com/…f4Qk')).toBe('https://example.com/…f4Qk');
  });

  const routing = { levels: ['critical'] as const, tags: {}, quiet_hours: null, repeat_minutes: null };
  const routed = (levels: readonly AlertLevel[], repeat: number | null = null) =>
    routingWords({ ...routing, levels: [...levels], repeat_minutes: repeat });

  it('says "and worse" only of a row of levels from the worst on', () => {
    expect(routed(['critical'])).toEqual(['Critical']);
    expect(routed(['critical', 'error', 'warning'])).toEqual(['Warning and worse']);
    expect(routed(['critical', 'warning'])).toEqual(['Critical, warning']);
    expect(routed(['warning'])).toEqual(['Warning']);
    expect(routed(['critical', 'error', 'warning', 'info'])).toEqual(['All levels']);
  });

  it('names whole hours as hours and anything else in minutes', () => {
    expect([60, 90, 120, 5].map((minutes) => routed(['critical'], minutes)[1])).toEqual([
      'repeats every 1 hour',
      'repeats every 90 min',
      'repeats every 2 hours',
      'repeats every 5 min',
    ]);
  });
});
