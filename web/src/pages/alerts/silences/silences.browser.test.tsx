import { describe, expect, it, onTestFinished } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage } from '../../../testing/draw-page.tsx';
import { sampleServer } from '../../../testing/sample-server.ts';
import type { Answers } from '../../../testing/draw-page.tsx';
import { Component } from './silences-page.tsx';

const SERVER = '00000000-0000-4000-8000-00000000000a';
const ID = '00000000-0000-4000-8000-0000000000ff';
const PATH = '/api/alerts/silences';
const SILENCE = {
  silence_id: ID,
  server_id: SERVER,
  tag_key: null,
  tag_value: null,
  metric: 'disk_usage',
  rule_id: null,
  subject: null,
  cluster_id: null,
  namespace: null,
  text: 'server web-1, metric disk_usage',
  starts_at: '2026-11-22T20:00:00.000Z',
  ends_at: '2099-11-24T08:00:00.000Z',
  status: 'active',
  comment: 'deploy',
  created_by: 'Mira',
};
const MATCHER = { server_id: SERVER, tag_key: null, metric: 'disk_usage', rule_id: null, subject: null };
const given = (silences: readonly object[], more: Answers = {}): Answers => ({
  [`GET ${PATH}`]: { data: { silences, total: silences.length } },
  'GET /api/servers/list': { data: { servers: [sampleServer({ id: SERVER, hostname: 'db-01' })] } },
  'GET /api/kubernetes/clusters': { data: { clusters: [], total: 0 } },
  'GET /api/maintenance': { data: { maintenance: [], total: 0 } },
  'GET /api/alerts/rules': { data: { rules: [], defaults: [], total: 0 } },
  ...more,
});

describe('the list of silences', () => {
  it('says that it loads', async () => {
    const { screen } = await drawPage(<Component />, given([], { [`GET ${PATH}`]: 'pending' }));
    await expect.element(screen.getByText('Loading silences…')).toBeVisible();
  });

  it('says what failed, with a button that retries', async () => {
    const failed = { status: 400, detail: 'Request failed', remedy: 'Try again in a minute.' };
    const { screen, callsTo } = await drawPage(<Component />, given([], { [`GET ${PATH}`]: failed }));
    await expect.element(screen.getByRole('alert').getByText('Try again in a minute.')).toBeVisible();
    await expect.element(screen.getByText('The silences could not be loaded.')).toBeVisible();
    await screen.getByRole('button', { name: 'Retry' }).click();
    await expect.poll(() => callsTo('GET', PATH).length).toBe(2);
  });

  it('says what they are for when there is none', async () => {
    const { screen } = await drawPage(<Component />, given([]));
    await expect.element(screen.getByText('No silences')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Add silence' })).toBeVisible();
  });

  it('shows what each matches, until when and by whom; one that is over has no button', async () => {
    const over = { ...SILENCE, silence_id: SERVER, status: 'expired', text: 'tag env=prod' };
    const { screen } = await drawPage(<Component />, given([SILENCE, over]));
    await expect.element(screen.getByText(/, by Mira: deploy$/).first()).toBeVisible();
    expect(screen.getByRole('listitem', { name: 'tag env=prod' }).getByRole('button').elements()).toEqual([]);
  });

  it('shows a silence of a custom resource as managed, without a button', async () => {
    const object = {
      cluster_id: 'uid-of-cluster',
      cluster_name: null,
      kind: 'Silence',
      namespace: 'shop',
      name: 'night',
    };
    const { screen } = await drawPage(<Component />, given([{ ...SILENCE, object }]));
    await expect.element(screen.getByText('Read-only')).toBeVisible();
    await expect.element(screen.getByText('Silence shop/night')).toBeVisible();
    await expect.element(screen.getByText(/of cluster uid-of-c/)).toBeVisible();
    expect(screen.getByRole('listitem', { name: SILENCE.text }).getByRole('button').elements()).toEqual([]);
  });

  it('has no button for a viewer', async () => {
    const { screen } = await drawPage(<Component />, given([SILENCE]), { role: 'viewer' });
    await expect.element(screen.getByText('server web-1, metric disk_usage')).toBeVisible();
    expect(screen.getByRole('button', { name: /(add|edit|end|delete).* silence/i }).elements()).toEqual([]);
    await expect.element(screen.getByRole('button', { name: 'Export silences' })).toBeVisible();
  });

  it('fits a phone, with targets of 44 px', async () => {
    await page.viewport(390, 800);
    onTestFinished(() => page.viewport(1280, 800));
    const { screen } = await drawPage(<Component />, given([SILENCE]));
    const end = screen.getByRole('button', { name: /^End the silence/ });
    await expect.element(end).toBeVisible();
    expect(end.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  });
});

describe('a silence', () => {
  it('ends now, and undo brings it back', async () => {
    const { screen, callsTo } = await drawPage(
      <Component />,
      given([SILENCE], { [`DELETE ${PATH}/${ID}`]: { data: {} }, [`POST ${PATH}`]: { data: { silence: SILENCE } } }),
    );
    await screen.getByRole('button', { name: 'End the silence of server web-1, metric disk_usage' }).click();
    await expect.poll(() => callsTo('DELETE', `${PATH}/${ID}`).length).toBe(1);
    await expect.element(screen.getByText('Silence ended. Alerts that still fire are sent.')).toBeVisible();
    await screen.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(() => callsTo('POST', PATH)[0]?.body)
      .toMatchObject({
        ...MATCHER,
        ends_at: SILENCE.ends_at,
        comment: 'deploy',
      });
  });

  it('says why the API did not end it', async () => {
    const refused = { status: 404, detail: 'Silence not found' };
    const { screen } = await drawPage(<Component />, given([SILENCE], { [`DELETE ${PATH}/${ID}`]: refused }));
    await screen.getByRole('button', { name: /^End the silence/ }).click();
    await expect.element(screen.getByRole('alert').getByText('Silence not found')).toBeVisible();
  });

  it('gets another end and reason, and keeps what it matches', async () => {
    const near = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 3_600_000).toISOString();
    const { screen, callsTo } = await drawPage(
      <Component />,
      given([{ ...SILENCE, ends_at: near }], { [`PUT ${PATH}/${ID}`]: { data: { silence: SILENCE } } }),
    );
    await screen.getByRole('button', { name: /^Edit the silence/ }).click();
    const dialog = screen.getByRole('dialog', { name: 'Edit silence' });
    await expect.element(dialog.getByText('server web-1, metric disk_usage')).toBeVisible();
    await dialog.getByLabelText('Reason (optional)').fill('longer deploy');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(() => callsTo('PUT', `${PATH}/${ID}`)[0]?.body)
      .toMatchObject({
        ...MATCHER,
        ends_at: near,
        comment: 'longer deploy',
      });
    await expect.poll(() => screen.getByRole('dialog').elements()).toEqual([]);
  });

  it('cannot end in the past', async () => {
    const { screen } = await drawPage(<Component />, given([SILENCE]));
    await screen.getByRole('button', { name: /^Edit the silence/ }).click();
    await screen.getByLabelText(/^Until/).fill('2020-01-01T08:00');
    await expect.element(screen.getByText('Must be in the future. Choose a later time.')).toBeVisible();
    await expect.element(screen.getByRole('button', { name: 'Save' })).toBeDisabled();
  });

  it('gets an end of an hour in one click', async () => {
    const { screen, callsTo } = await drawPage(
      <Component />,
      given([], { [`POST ${PATH}`]: { data: { silence: SILENCE } } }),
    );
    await screen.getByRole('button', { name: 'Add silence' }).click();
    await screen.getByLabelText('Server').selectOptions(SERVER);
    const hour = screen.getByRole('button', { name: '1 h', exact: true });
    await hour.click();
    await expect.element(hour).toHaveAttribute('aria-pressed', 'true');
    const before = Date.now();
    await screen.getByRole('button', { name: 'Silence', exact: true }).click();
    await expect.poll(() => callsTo('POST', PATH).length).toBe(1);
    const sent = callsTo('POST', PATH)[0]?.body as { ends_at: string };
    const minutes = (Date.parse(sent.ends_at) - before) / 60_000;
    expect(minutes).toBeGreaterThan(58);
    expect(minutes).toBeLessThanOrEqual(61);
  });

  it('is added for a server and a tag until an end', async () => {
    const { screen, callsTo } = await drawPage(
      <Component />,
      given([], { [`POST ${PATH}`]: { data: { silence: SILENCE } } }),
    );
    await screen.getByRole('button', { name: 'Add silence' }).click();
    await expect.element(screen.getByRole('button', { name: 'Silence', exact: true })).toBeDisabled();
    await screen.getByLabelText('Server').selectOptions(SERVER);
    await screen.getByLabelText('Tag').fill('env=prod');
    await screen.getByRole('button', { name: 'Silence', exact: true }).click();
    await expect
      .poll(() => callsTo('POST', PATH)[0]?.body)
      .toMatchObject({ server_id: SERVER, tag_key: 'env', tag_value: 'prod', comment: '' });
  });
});
