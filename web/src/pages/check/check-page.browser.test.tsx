import type { CheckAnswer, CheckDetail, CheckSeriesAnswer } from '@plimsoll/contract/wire/checks';
import { Route, Routes } from 'react-router-dom';
import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { everyAnswer } from '../../testing/every-answer.ts';
import { Component } from './check-page.tsx';

const PAGE = (
  <Routes>
    <Route path="/servers/checks/:checkId" element={<Component />} />
  </Routes>
);
const ID = '00000000-0000-4000-8000-000000000001';
const NOW = Date.now();
const filled = (everyAnswer(`/api/checks/${ID}`, NOW) as CheckAnswer).check;
const series = everyAnswer(`/api/checks/${ID}/series`, NOW) as CheckSeriesAnswer;
const detail = (change: Partial<CheckDetail>): CheckDetail => ({
  ...filled,
  name: 'shop HTTPS',
  kind: 'http',
  target: 'GET https://shop.example.net/health',
  status: 'up',
  heartbeat: null,
  last_call: null,
  votes: [
    {
      server_id: null,
      name: 'Plimsoll',
      region: null,
      vote: 'up',
      reason: null,
      voted_at: new Date(NOW).toISOString(),
      total_ms: 142,
    },
    { server_id: ID, name: 'edge-gru-01', region: null, vote: 'none', reason: 'silent', voted_at: null, total_ms: 90 },
  ],
  needed: 2,
  ...change,
});
const draw = (check: CheckDetail) =>
  drawPage(
    PAGE,
    { [`GET /api/checks/${ID}`]: { data: { check } }, [`GET /api/checks/${ID}/series`]: { data: series } },
    { at: `/servers/checks/${ID}` },
  );

it('shows the votes: a place that is silent has none, and no response time', async () => {
  const { screen } = await draw(detail({}));
  await expect.element(screen.getByRole('heading', { name: 'shop HTTPS', level: 1 })).toBeVisible();
  const votes = screen.getByRole('list', { name: 'Votes' }).getByRole('listitem');
  await expect.element(votes.nth(0)).toMatchTextContent(/votes up/);
  await expect.element(votes.nth(1)).toMatchTextContent(/never voted, sends no results/);
  await expect.element(screen.getByText('down needs 2 votes')).toBeVisible();
});

it('says that an unknown figure is not available, with its reason', async () => {
  const { screen } = await draw(detail({ total_ms: null, certificate: null, certificate_days: null, status: 'down' }));
  await expect.element(screen.getByText('No good answer within the last hour')).toBeVisible();
  await expect.element(screen.getByText('No certificate was seen')).toBeVisible();
});

it('of a heartbeat shows its next call and its last output', async () => {
  const heartbeat = { schedule: { kind: 'interval', seconds: 3600 }, grace_seconds: 600 } as const;
  const call = {
    at: new Date(NOW).toISOString(),
    kind: 'ok',
    exit_code: 0,
    output: 'saved 81f2c',
    duration_seconds: 23,
  } as const;
  const { screen } = await draw(detail({ kind: 'heartbeat', heartbeat, last_call: call, votes: [] }));
  await expect.element(screen.getByText('saved 81f2c')).toBeVisible();
  await expect.element(screen.getByText('grace 10 min')).toBeVisible();
});

it('leads back from a check that is not there', async () => {
  const { screen } = await drawPage(
    PAGE,
    { [`GET /api/checks/${ID}`]: { status: 404, detail: 'Check not found' } },
    { at: `/servers/checks/${ID}` },
  );
  await expect.element(screen.getByRole('heading', { name: 'Check not found' })).toBeVisible();
  await expect.element(screen.getByRole('link', { name: 'Back to Checks' })).toBeVisible();
});
