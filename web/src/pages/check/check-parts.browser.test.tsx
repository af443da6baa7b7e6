import type { CheckAnswer, CheckDetail } from '@plimsoll/contract/wire/checks/checks';
import { expect, it, onTestFinished } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { everyAnswer, ID } from '../../testing/every-answer.ts';
import { chosenZone } from '../../time/zone.ts';
import { CheckDays, CheckEvidence } from './check-parts.tsx';

const NOW = Date.now();
const filled = (everyAnswer(`/api/checks/${ID}`, NOW) as CheckAnswer).check;
const detail = (change: Partial<CheckDetail>): CheckDetail => ({ ...filled, heartbeat: null, ...change });

it('begins the 90 days with its own first day, also for a reader west of UTC', async () => {
  chosenZone.set('America/Los_Angeles');
  onTestFinished(() => chosenZone.set(null));
  const day = { date: '2026-08-25', down_seconds: 0, unknown_seconds: 0, maintenance_seconds: 0, outages: 0 };
  const { screen } = await drawPage(<CheckDays check={detail({ days: [{ ...day, is_known: true }] })} now={NOW} />, {});
  await expect.element(screen.getByText('25 Aug', { exact: true })).toBeVisible();
});

it.each([
  [1, 'Certificate1 day left'],
  [-1, 'Certificateended'],
  [null, 'Certificate'],
])('says of a certificate with %s days left what is known', async (days, words) => {
  const { screen } = await drawPage(<CheckEvidence check={detail({ certificate_days: days })} />, {});
  const heading = screen.getByRole('heading', { name: 'Certificate', exact: true });
  await expect.element(heading).toBeVisible();
  expect(heading.element().parentElement?.textContent).toBe(words);
});
