import type { ChannelView, DeliveriesAnswer } from '@plimsoll/contract/wire/notify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage } from '../../../testing/draw-page.tsx';
import type { Answers } from '../../../testing/draw-page.tsx';
import { Component } from './channels-page.tsx';

const CHANNEL: ChannelView = {
  id: '00000000-0000-4000-8000-00000000000a',
  type: 'telegram',
  name: 'On call',
  settings: { chat_id: '-1001' },
  secrets: { bot_token: 'f4Qk' },
  routing: {
    levels: ['critical', 'error'],
    tags: { env: 'prod' },
    quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin', critical_passes: true },
    repeat_minutes: 60,
  },
  managed_by: 'user',
  created_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  waiting: 2,
  last_delivery: { at: '2026-11-22T22:14:03.000Z', outcome: 'failed', detail: 'Telegram answered 502' },
};
const MANAGED: ChannelView = {
  ...CHANNEL,
  id: '00000000-0000-4000-8000-00000000000b',
  name: 'Telegram (environment)',
  managed_by: 'environment',
  routing: { levels: ['critical', 'error', 'warning', 'info'], tags: {}, quiet_hours: null, repeat_minutes: null },
  waiting: 0,
  last_delivery: null,
};
const DELIVERY: DeliveriesAnswer['deliveries'][number] = {
  id: 1,
  channel_id: CHANNEL.id,
  channel_name: 'On call',
  type: 'telegram',
  at: '2026-11-22T22:14:03.000Z',
  outcome: 'delivered',
  detail: '',
  hostname: 'db-fra-01',
  alert_ids: ['00000000-0000-4000-8000-0000000000aa', '00000000-0000-4000-8000-0000000000ab'],
  attempt: 2,
};
const answers = (channels: readonly ChannelView[], more: Answers = {}): Answers => ({
  'GET /api/notify/channels': { data: { channels, total: channels.length, messages_link: true } },
  'GET /api/notify/deliveries': { data: { deliveries: [], total: 0 } },
  'GET /api/notify/settings': { data: { quote_log_lines: false } },
  ...more,
});
const CHANNEL_PATH = `/api/notify/channels/${CHANNEL.id}`;

describe('the channels', () => {
  it('say that they load', async () => {
    const { screen } = await drawPage(<Component />, { 'GET /api/notify/channels': 'pending' });
    await expect.element(screen.getByText('Loading channels…')).toBeVisible();
  });

  it('show an error with its remedy and a button that retries', async () => {
    const failed = { status: 500, detail: 'Request failed', remedy: 'Try again in a minute.' };
    const { screen, callsTo } = await drawPage(<Component />, answers([], { 'GET /api/notify/channels': failed }));
    await expect.element(screen.getByRole('alert').getByText('Try again in a minute.')).toBeVisible();
    await screen.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => callsTo('GET', '/api/notify/channels').length).toBe(2);
  });

  it('say what to do when there is none', async () => {
    const { screen } = await drawPage(<Component />, answers([]));
    await expect.element(screen.getByText('No channels yet')).toBeVisible();
    await expect.element(screen.getByText('No messages yet')).toBeVisible();
    await screen.getByRole('button', { name: 'Add channel' }).click();
    await expect.element(screen.getByRole('dialog', { name: 'Add channel' })).toBeVisible();
  });

  it('show where each leads, what goes through it and what came of its last message; never a whole secret', async () => {
    const { screen } = await drawPage(<Component />, answers([CHANNEL, MANAGED]));
    const row = screen.getByRole('listitem', { name: 'On call' });
    await expect.element(row.getByText('Bot token ••••f4Qk · Chat id -1001')).toBeVisible();
    await expect.element(row.getByText(/^Last message failed .*: Telegram answered 502$/)).toBeVisible();
    await expect
      .element(
        row.getByText(
          'Error and worse · only servers with env=prod · quiet 22:00–07:00 Europe/Berlin, critical alerts pass · repeats every 1 hour',
        ),
      )
      .toBeVisible();
    await expect.element(row.getByText(/^Last message failed/)).toBeVisible();
    await expect.element(row.getByText(/2 changes of alerts waiting/)).toBeVisible();
    await expect.element(screen.getByText('2 channels. The last message failed on 1.')).toBeVisible();
  });

  it('show the channel of the environment as read-only, with the names of its settings, and test it', async () => {
    const { screen } = await drawPage(<Component />, answers([MANAGED]));
    const row = screen.getByRole('listitem', { name: 'Telegram (environment)' });
    await expect.element(row.getByText('TELEGRAM_BOT_TOKEN')).toBeVisible();
    await expect.element(row.getByText('TELEGRAM_CHAT_ID')).toBeVisible();
    await expect.element(row.getByRole('button', { name: 'Test' })).toBeVisible();
    expect(row.getByRole('button').elements()).toHaveLength(1);
  });

  it('show the channel of a cluster with the Helm values that change it', async () => {
    const { screen } = await drawPage(<Component />, answers([{ ...MANAGED, managed_by: 'cluster' }]));
    await expect.element(screen.getByText('telegram.botToken')).toBeVisible();
    expect(screen.getByText('TELEGRAM_BOT_TOKEN').elements()).toEqual([]);
  });

  it('show the channel of a custom resource with its object, and no button that changes it', async () => {
    const object = {
      cluster_id: 'uid-of-cluster',
      cluster_name: 'prod',
      kind: 'NotificationChannel' as const,
      namespace: 'plimsoll',
      name: 'ops',
    };
    const { screen } = await drawPage(<Component />, answers([{ ...CHANNEL, managed_by: 'cluster', object }]));
    await expect.element(screen.getByText('NotificationChannel plimsoll/ops')).toBeVisible();
    await expect.element(screen.getByText('Read-only')).toBeVisible();
    expect(screen.getByText('telegram.botToken').elements()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Edit' }).elements()).toEqual([]);
    expect(screen.getByRole('button', { name: 'Delete' }).elements()).toEqual([]);
  });

  it('test in one click and show the verdict of the provider', async () => {
    const verdict = { outcome: 'refused', detail: 'Telegram answered 400: chat not found' };
    const { screen, callsTo } = await drawPage(
      <Component />,
      answers([CHANNEL], { [`POST ${CHANNEL_PATH}/test`]: { data: verdict } }),
    );
    await expect.poll(() => callsTo('GET', '/api/notify/deliveries').length).toBe(1);
    await screen.getByRole('button', { name: 'Test' }).click();
    // The log and the row show the test message at once.
    await expect.poll(() => callsTo('GET', '/api/notify/deliveries').length).toBe(2);
    await expect.poll(() => callsTo('GET', '/api/notify/channels').length).toBe(2);
    await expect.element(screen.getByText(/^Test message not delivered/)).toBeVisible();
    await expect.element(screen.getByText('Telegram answered 400: chat not found')).toBeVisible();
  });

  it('say in the list and in the form that messages cannot link, and which setting changes that', async () => {
    const lacking = { data: { channels: [CHANNEL, MANAGED], total: 2, messages_link: false } };
    const { screen } = await drawPage(<Component />, answers([], { 'GET /api/notify/channels': lacking }));
    await expect.element(screen.getByText('PLIMSOLL_PUBLIC_URL')).toBeVisible();
    expect(screen.getByText('PLIMSOLL_PUBLIC_URL').elements()).toHaveLength(1);
    await screen.getByRole('button', { name: 'Add channel' }).click();
    await expect.element(screen.getByRole('dialog').getByText('PLIMSOLL_PUBLIC_URL')).toBeVisible();
  });

  it('say nothing of links where the address is set', async () => {
    const { screen } = await drawPage(<Component />, answers([CHANNEL]));
    await expect.element(screen.getByRole('listitem', { name: 'On call' })).toBeVisible();
    expect(screen.getByText('PLIMSOLL_PUBLIC_URL').elements()).toEqual([]);
  });

  it('delete after a question that says what is lost', async () => {
    const { screen, callsTo } = await drawPage(
      <Component />,
      answers([CHANNEL], { [`DELETE ${CHANNEL_PATH}`]: { data: {} } }),
    );
    await screen.getByRole('button', { name: 'Delete' }).click();
    const dialog = screen.getByRole('dialog', { name: 'Delete On call?' });
    await expect.element(dialog.getByText(/2 waiting changes will not be sent/)).toBeVisible();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => callsTo('DELETE', CHANNEL_PATH).length).toBe(1);
  });

  it('have no buttons that change things for a viewer', async () => {
    const { screen } = await drawPage(<Component />, answers([CHANNEL]), { role: 'viewer' });
    await expect.element(screen.getByRole('listitem', { name: 'On call' })).toBeVisible();
    for (const name of ['Test', 'Edit', 'Delete', 'Add channel'])
      expect(screen.getByRole('button', { name }).elements()).toEqual([]);
  });

  it('log each attempt, and narrow the log to a channel', async () => {
    const log = { data: { deliveries: [DELIVERY], total: 9 } };
    const { screen, callsTo } = await drawPage(
      <Component />,
      answers([CHANNEL], { 'GET /api/notify/deliveries': log }),
    );
    await expect.element(screen.getByText('1 of 9, kept for 30 days')).toBeVisible();
    const row = screen.getByRole('listitem').filter({ hasText: 'db-fra-01' });
    await expect.element(row.getByText('Delivered')).toBeVisible();
    await expect.element(row.getByText('attempt 2')).toBeVisible();
    await expect
      .element(row.getByRole('link', { name: 'db-fra-01' }))
      .toHaveAttribute('href', '/alerts?alert=00000000-0000-4000-8000-0000000000aa');
    await screen.getByRole('combobox', { name: 'Channel: All' }).click();
    await screen.getByRole('option', { name: 'On call' }).click();
    await expect
      .poll(() => callsTo('GET', '/api/notify/deliveries').at(-1)?.path)
      .toBe(`/api/notify/deliveries?limit=50&channel_id=${CHANNEL.id}`);
  });

  it('fit a phone', async () => {
    await page.viewport(390, 800);
    onTestFinished(() => page.viewport(1280, 800));
    const log = { data: { deliveries: [DELIVERY], total: 1 } };
    const { screen } = await drawPage(
      <Component />,
      answers([CHANNEL, MANAGED], { 'GET /api/notify/deliveries': log }),
    );
    await expect.element(screen.getByText('db-fra-01')).toBeVisible();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe('the form of a channel', () => {
  it('names every missing field before it sends anything', async () => {
    const { screen, callsTo } = await drawPage(<Component />, answers([]));
    await screen.getByRole('button', { name: 'Add channel' }).click();
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Correct the marked fields. Nothing was saved.')).toBeVisible();
    expect(screen.getByText('Must not be empty. Fill it in.').elements()).toHaveLength(2);
    expect(callsTo('POST', '/api/notify/channels')).toEqual([]);
  });

  it('saves a channel with its routing', async () => {
    const { screen, callsTo } = await drawPage(
      <Component />,
      answers([], { 'POST /api/notify/channels': { data: CHANNEL } }),
    );
    await screen.getByRole('button', { name: 'Add channel' }).click();
    await screen.getByLabelText('Kind').selectOptions('ntfy');
    await screen.getByLabelText('Topic').fill('ops');
    await screen.getByRole('checkbox', { name: 'Info' }).click();
    await screen.getByLabelText('Only servers with these tags').fill('env=prod');
    await screen.getByRole('checkbox', { name: 'Quiet hours' }).click();
    await screen.getByLabelText('Time zone').selectOptions('Asia/Tokyo');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => callsTo('POST', '/api/notify/channels')[0]?.body)
      .toEqual({
        type: 'ntfy',
        name: 'ntfy',
        settings: { server: 'https://ntfy.sh', topic: 'ops' },
        routing: {
          levels: ['critical', 'error', 'warning'],
          tags: { env: 'prod' },
          quiet_hours: { from: '22:00', to: '07:00', time_zone: 'Asia/Tokyo', critical_passes: true },
          repeat_minutes: 240,
        },
      });
    await expect.poll(() => screen.getByRole('dialog').elements()).toEqual([]);
  });

  it('keeps what was typed when the API refuses, and puts its words beside the field', async () => {
    const refused = {
      status: 400,
      detail: 'settings.topic: is taken',
      remedy: 'Choose another.',
      field: 'settings.topic',
    };
    const { screen } = await drawPage(<Component />, answers([], { 'POST /api/notify/channels': refused }));
    await screen.getByRole('button', { name: 'Add channel' }).click();
    await screen.getByLabelText('Kind').selectOptions('ntfy');
    await screen.getByLabelText('Topic').fill('ops');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Is taken. Choose another.')).toBeVisible();
    await expect.element(screen.getByLabelText('Topic')).toHaveValue('ops');
    await expect.element(screen.getByLabelText('Topic')).toHaveAttribute('aria-invalid', 'true');
  });

  it('shows the verdict of Telegram about the bot', async () => {
    const refused = { status: 400, detail: 'settings.bot_token: Telegram answered 401', field: 'settings.bot_token' };
    const { screen } = await drawPage(<Component />, answers([CHANNEL], { [`PUT ${CHANNEL_PATH}`]: refused }));
    await screen.getByRole('button', { name: 'Edit' }).click();
    await expect.element(screen.getByText('Stored, ends in f4Qk. Leave empty to keep it.')).toBeVisible();
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.element(screen.getByText('Telegram answered 401', { exact: true })).toBeVisible();
    await expect.element(screen.getByLabelText('Bot token', { exact: true })).toHaveAttribute('aria-invalid', 'true');
  });

  it('removes an optional secret, and offers that for no other', async () => {
    const hook: ChannelView = {
      ...CHANNEL,
      type: 'webhook',
      settings: {},
      secrets: { url: 'https://x.example/…hook', secret: 'f4Qk' },
    };
    const { screen, callsTo } = await drawPage(
      <Component />,
      answers([hook], { [`PUT ${CHANNEL_PATH}`]: { data: hook } }),
    );
    await screen.getByRole('button', { name: 'Edit' }).click();
    await screen.getByRole('checkbox', { name: 'Remove the stored signing secret' }).click();
    await expect.element(screen.getByText('Removed when you save.')).toBeVisible();
    await expect.element(screen.getByLabelText('Signing secret', { exact: true })).toBeDisabled();
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => callsTo('PUT', CHANNEL_PATH)[0]?.body).toMatchObject({ settings: { secret: null } });
  });

  it('does not offer to remove a secret that the channel needs', async () => {
    const { screen } = await drawPage(<Component />, answers([CHANNEL]));
    await screen.getByRole('button', { name: 'Edit' }).click();
    await expect.element(screen.getByLabelText('Bot token', { exact: true })).toBeVisible();
    expect(screen.getByRole('checkbox', { name: /^Remove/ }).elements()).toEqual([]);
  });

  it('does not send a secret that nobody typed again', async () => {
    const { screen, callsTo } = await drawPage(
      <Component />,
      answers([CHANNEL], { [`PUT ${CHANNEL_PATH}`]: { data: CHANNEL } }),
    );
    await screen.getByRole('button', { name: 'Edit' }).click();
    await screen.getByLabelText('Chat id').fill('@ops_alerts');
    await screen.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => callsTo('PUT', CHANNEL_PATH)[0]?.body)
      .toMatchObject({ settings: { chat_id: '@ops_alerts' }, routing: CHANNEL.routing });
  });
});

describe('what messages contain', () => {
  const BOX = 'Quote one log line of the likely cause';

  it('is changed by an admin: a log line is quoted only then', async () => {
    const { screen, callsTo } = await drawPage(
      <Component />,
      answers([CHANNEL], { 'PUT /api/notify/settings': ({ body }) => ({ data: body }) }),
    );
    await expect.element(screen.getByRole('checkbox', { name: BOX })).not.toBeChecked();
    await screen.getByRole('checkbox', { name: BOX }).click();
    await expect.poll(() => callsTo('PUT', '/api/notify/settings')[0]?.body).toEqual({ quote_log_lines: true });
    await expect.element(screen.getByRole('checkbox', { name: BOX })).toBeChecked();
  });

  it('says why it was not saved, and shows what is in force', async () => {
    const refused = { status: 403, detail: 'This call needs the role admin' };
    const { screen } = await drawPage(<Component />, answers([CHANNEL], { 'PUT /api/notify/settings': refused }));
    await screen.getByRole('checkbox', { name: BOX }).click();
    await expect.element(screen.getByText(/This call needs the role admin/)).toBeVisible();
    await expect.element(screen.getByRole('checkbox', { name: BOX })).not.toBeChecked();
  });
});
