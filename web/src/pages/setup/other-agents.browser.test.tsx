import { expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { EnrolmentTokenAnswer } from '@plimsoll/contract/wire/install';
import { paths } from '../../paths.ts';
import { drawApp } from '../../testing/draw-app.tsx';
import type { Answers } from '../../testing/draw-page.tsx';
import { everyAnswer, ID } from '../../testing/every-answer.ts';

const MADE = everyAnswer('/api/user/enrolment-tokens', Date.now()) as EnrolmentTokenAnswer;
const CREATE = 'POST /api/user/generate-auth-token';

async function show(created: Answers[string], width = 1440) {
  const copied: string[] = [];
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => {
    copied.push(text);
    return Promise.resolve();
  });
  onTestFinished(() => write.mockRestore());
  const { settled, callsTo } = await drawApp(`${paths.setup}?on=other`, {
    answers: {
      'POST /api/user/enrolment-tokens': { data: { ...MADE, public_url: 'https://plimsoll.example.org' } },
      [CREATE]: created,
    },
    width,
  });
  await settled();
  const copy = async (name: string): Promise<string> => {
    const before = copied.length;
    await page.getByRole('button', { name }).click();
    await expect.poll(() => copied.length).toBe(before + 1);
    return copied.at(-1) ?? '';
  };
  return { copy, created: () => callsTo('POST', '/api/user/generate-auth-token').map(({ body }) => body) };
}
const token = { data: { id: ID, token: 'plm_api_0123456789abcdef', replaced: false } };
const shown = () => document.querySelector('main')?.textContent ?? '';

it('creates a token that only sends metrics when the command is copied, and covers it', async () => {
  const { copy, created } = await show(token);
  expect(shown()).toContain('created when you copy');
  expect(created()).toEqual([]);
  const command = await copy('Copy command');
  expect(command).toBe(
    'printf %s plm_api_0123456789abcdef | sudo install -D -m 600 /dev/stdin /etc/prometheus/plimsoll-token',
  );
  expect(created()).toEqual([
    { name: expect.stringMatching(/^Prometheus \d{4}-\d\d-\d\d /), scopes: ['metrics'], expires_in_days: null },
  ]);
  await expect.poll(shown).not.toContain('created when you copy');
  expect(shown()).not.toContain('plm_api_0123456789abcdef');
});

it('keeps the token of each sender, and creates another one for another sender', async () => {
  const { copy, created } = await show(token);
  await copy('Copy command');
  await page.getByRole('button', { name: 'OpenTelemetry' }).click();
  await expect.element(page.getByText('on each machine')).toBeVisible();
  expect(await copy('Copy configuration')).toContain("endpoint: 'https://plimsoll.example.org'");
  expect(created()).toHaveLength(1);
  expect(await copy('Copy command')).toContain('/etc/otelcol/plimsoll-token');
  expect(created()).toHaveLength(2);
  await page.getByRole('button', { name: 'Prometheus', exact: true }).click();
  await expect.poll(shown).not.toContain('created when you copy');
});

it('says why no token was created', async () => {
  const { created } = await show({ status: 403, detail: 'You need the role admin' });
  await page.getByRole('button', { name: 'Copy command' }).click();
  await expect.element(page.getByText('Creating the token failed: You need the role admin')).toBeVisible();
  expect(created()).toHaveLength(1);
});

it('fits a phone, with the configuration in whole', async () => {
  await show(token, 390);
  expect(document.documentElement.scrollWidth).toBe(390);
  await expect.poll(shown).toContain("regex: 'node_.+', action: keep }]");
});
