import type { CapacityAnswer } from '@plimsoll/contract/wire/capacity';
import { describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { drawApp } from '../../testing/draw-app.tsx';
import { sampleCapacity } from './sample-capacity.ts';

const draw = (answer: CapacityAnswer) =>
  drawApp('/kubernetes/capacity', {
    answers: { 'GET /api/kubernetes/capacity': { data: answer } },
    width: 1440,
  });
const full = sampleCapacity();

describe('the Capacity page', () => {
  it('answers the four questions on top', async () => {
    await draw(full);
    await expect.element(page.getByText(/Holds 5 more pods of/)).toBeVisible();
    await expect.element(page.getByText(/Without node-2, 3 pods stay pending/)).toBeVisible();
    await expect.element(page.getByText(/Next node due 12 Jan 2027 \(5 Jan 2027 to 23 Jan 2027\)/)).toBeVisible();
    await expect.element(page.getByText(/2 containers ask for more than they use, 1 is too small/)).toBeVisible();
  });

  it('shows N/A with the reason where nothing is known, never 0', async () => {
    await draw(full);
    await expect
      .element(page.getByRole('row', { name: /^shop\/db .* N\/A persistent volumes are not read$/ }))
      .toBeVisible();
    await expect.element(page.getByRole('row', { name: /^node-1 N\/A .*1 pod cannot be judged$/ })).toBeVisible();
  });

  it('says why there is no plan at all', async () => {
    const reason = 'The cluster collector has been silent for 7 minutes.';
    const nothing = { fits: [], fits_total: 0, loss: [], loss_total: 0, trends: [], resources: [] };
    await draw(
      sampleCapacity({
        ...nothing,
        reason,
        sizing: { too_large: 0, too_small: 0, frees: { cpu_cores: null, memory_bytes: null }, reason },
      }),
    );
    await expect.element(page.getByText('What fits: N/A')).toBeVisible();
    await expect.poll(() => page.getByText(reason).elements().length).toBeGreaterThan(3);
  });

  it('says what to do without a cluster', async () => {
    await draw({ clusters: [], total: 0, cluster: null });
    await expect.element(page.getByText('No cluster found')).toBeVisible();
  });

  it('counts how many pods of a size fit, and refuses nonsense', async () => {
    await draw(full);
    await page.getByRole('button', { name: 'Try a size' }).click();
    await expect.element(page.getByText(/42 more fit without constraints/)).toBeVisible();
    await userEvent.fill(page.getByLabelText('Cores'), '-1');
    await expect.element(page.getByText('Enter a number of cores and of GB.')).toBeVisible();
  });
});
