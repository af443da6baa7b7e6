import type { CauseAnswer } from '@plimsoll/contract/wire/causes';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { drawPage, type Answer } from '../../testing/draw-page.tsx';
import { SAMPLE_ANSWER, SAMPLE_CAUSE } from '../../testing/sample-cause.ts';
import { CausePanel } from './cause-panel.tsx';

const INCIDENT = '00000000-0000-4000-8000-0000000000b1';
const subject = { incidentId: INCIDENT, isOpen: true };
const show = (answer: Answer, more = {}) =>
  drawPage(<CausePanel subject={subject} />, { [`GET /api/incidents/${INCIDENT}/cause`]: answer, ...more });
const answered = (parts: Partial<CauseAnswer> = {}): Answer => ({ data: { ...SAMPLE_ANSWER, ...parts } });

afterEach(() => vi.restoreAllMocks());

it('says that it looks', async () => {
  const { screen } = await show('pending');
  await expect.element(screen.getByRole('heading', { name: 'Looking for the cause…' })).toBeVisible();
});

it('says why there is no answer', async () => {
  const { screen } = await show({ status: 404, detail: 'Incident not found' });
  await expect.element(screen.getByText('Incident not found')).toBeVisible();
});

describe('a cause', () => {
  it('has one sentence, its evidence with times and links, what speaks against it and the next step', async () => {
    const { screen } = await show(answered());
    await expect
      .element(screen.getByRole('heading', { name: /^Likely cause: The rollout of shop\/checkout at 19:56/ }))
      .toBeVisible();
    await expect.element(screen.getByText(/explains 3 of 4 symptoms/)).toBeVisible();
    const lines = screen.getByRole('list', { name: 'Evidence' }).getByRole('listitem');
    await expect.poll(() => lines.elements()).toHaveLength(3);
    await expect
      .element(screen.getByRole('link', { name: 'Memory limit 512 → 256 MB, by ci-deploy' }))
      .toHaveAttribute('href', '/changes?q=checkout');
    // Text of a program is marked as its words.
    await expect.element(screen.getByText('“FATAL: out of memory”')).toBeVisible();
    await expect.element(screen.getByText('Two of its pods do not fail.')).toBeVisible();
    await expect.element(screen.getByText('Undo the rollout.')).toBeVisible();
    await expect
      .element(screen.getByRole('link', { name: 'Open shop/checkout' }))
      .toHaveAttribute('href', '/kubernetes/workloads/c/shop/Deployment/checkout');
    await expect.element(screen.getByText(/No model took part/)).toBeVisible();
  });

  it('copies its command', async () => {
    const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const { screen } = await show(answered());
    await screen.getByRole('button', { name: 'Copy the command' }).click();
    expect(writeText).toHaveBeenCalledWith('kubectl -n shop rollout undo deployment/checkout');
  });

  it('folds what fails because of it and what is not the cause', async () => {
    const { screen } = await show(answered());
    await expect.element(screen.getByRole('button', { name: '1 more fails because of it' })).toBeVisible();
    expect(screen.getByText('It talks to shop/checkout.').elements()).toHaveLength(0);
    await screen.getByRole('button', { name: '1 more fails because of it' }).click();
    await expect.element(screen.getByText('It talks to shop/checkout.')).toBeVisible();
    await screen.getByRole('button', { name: 'Not the cause: 1' }).click();
    await expect.element(screen.getByText('The pods on other nodes fail too.')).toBeVisible();
  });

  it('stands beside another one', async () => {
    const other = { ...SAMPLE_CAUSE, finding: 'The disk of db-01 is full.', since: null, explains: 1 };
    const { screen } = await show(answered({ causes: [SAMPLE_CAUSE, other] }));
    await expect
      .element(screen.getByRole('heading', { name: /^Also likely: The disk of db-01 is full/ }))
      .toBeVisible();
    await expect.element(screen.getByText(/since a time that is not known/)).toBeVisible();
  });

  it('leads to no page outside of the product, and its words stay text', async () => {
    const hostile = {
      ...SAMPLE_CAUSE,
      finding: '<img src=x onerror=alert(1)> \u202Eevil',
      evidence: [
        { text: 'a', at: null, href: 'javascript:alert(1)' },
        { text: 'b', at: null, href: '//evil.example/' },
        { text: 'c', at: null, href: '/\\evil.example' },
        { text: 'd', at: null, href: 'https://evil.example/' },
      ],
      entities: [],
    };
    const { screen } = await show(answered({ causes: [hostile] }));
    await expect
      .element(screen.getByRole('heading', { name: /<img src=x onerror=alert\(1\)> \\u202Eevil/ }))
      .toBeVisible();
    expect(screen.getByRole('link').elements()).toHaveLength(0);
    expect(document.querySelectorAll('img')).toHaveLength(0);
  });
});

it('says that no cause was found, and still what was examined', async () => {
  const { screen } = await show(answered({ status: 'not_found', causes: [], victims: [] }));
  await expect.element(screen.getByRole('heading', { name: 'No likely cause' })).toBeVisible();
  await expect.element(screen.getByText(/Nothing that is stored explains half of the 4 symptoms/)).toBeVisible();
  await screen.getByRole('button', { name: 'Not the cause: 1' }).click();
  await expect.element(screen.getByText('Kernel update of node-4')).toBeVisible();
});

it('saves the evidence for an admin', async () => {
  const saved = vi.spyOn(URL, 'createObjectURL');
  const { screen, callsTo } = await show(answered(), {
    [`GET /api/incidents/${INCIDENT}/evidence`]: {
      data: { incident_id: INCIDENT, evidence: {}, answer: SAMPLE_ANSWER },
    },
  });
  await screen.getByRole('button', { name: 'Evidence of this answer' }).click();
  await expect.poll(() => callsTo('GET', `/api/incidents/${INCIDENT}/evidence`)).toHaveLength(1);
  await expect.poll(() => saved.mock.calls).toHaveLength(1);
});

it.each([390, 2560])('keeps its lines readable at %d px', async (width) => {
  await page.viewport(width, 900);
  const long = { ...SAMPLE_CAUSE, evidence: [{ text: 'x'.repeat(300), at: null, href: null }] };
  const { screen } = await show(answered({ causes: [long] }));
  await expect.element(screen.getByRole('heading', { name: /^Likely cause/ })).toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  const panel = screen.getByRole('region', { name: 'Likely cause' }).element();
  expect(panel.getBoundingClientRect().width).toBeLessThanOrEqual(1180);
});
