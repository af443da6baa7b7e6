import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { EnrolmentTokenAnswer } from '@plimsoll/contract/wire/install';
import { paths } from '../../paths.ts';
import { drawApp, emptied } from '../../testing/draw-app.tsx';
import { everyAnswer, ID } from '../../testing/every-answer.ts';

const TOKEN = 'plm_0123456789012345678901';
const MADE = everyAnswer('/api/user/enrolment-tokens', Date.now()) as EnrolmentTokenAnswer;

/** Draws the tab for a cluster; what is copied goes into `copied`, newest last. */
async function show(given: Partial<EnrolmentTokenAnswer>) {
  const copied: string[] = [];
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => {
    copied.push(text);
    return Promise.resolve();
  });
  onTestFinished(() => write.mockRestore());
  const { settled, callsTo } = await drawApp(`${paths.setup}?on=kubernetes`, {
    answers: {
      'POST /api/user/enrolment-tokens': {
        data: { ...MADE, image_registry: 'registry.example.org/team', image_tag: 'v2', ...given },
      },
      'POST /api/user/cluster-tokens': { data: { id: ID, token: TOKEN } },
      'GET /api/kubernetes/nodes/recent': emptied('/api/kubernetes/nodes', { total: 0 }),
    },
    width: 1440,
  });
  await settled();
  /** Presses the button and returns what it puts on the clipboard. */
  const copy = async (): Promise<string> => {
    const before = copied.length;
    await page.getByRole('button', { name: /Copy command|Copied/ }).click();
    await expect.poll(() => copied.length).toBe(before + 1);
    return copied.at(-1) ?? '';
  };
  return { copy, tokens: () => callsTo('POST', '/api/user/cluster-tokens').length };
}
const shown = () => document.querySelector('pre')?.textContent ?? '';

describe('the Helm command', () => {
  it('holds the options that are on, and a token that its copying creates', async () => {
    const { copy, tokens } = await show({ public_url: 'https://plimsoll.example.org' });
    await expect.poll(shown).toContain('created when you copy');
    expect(tokens()).toBe(0);
    const plain = await copy();
    expect(plain).toContain('--namespace plimsoll-system --create-namespace');
    expect(plain).toContain('--set image.registry=registry.example.org/team');
    expect(plain).toContain('--set-string image.tag=v2');
    expect(plain).toContain('--set prometheus.enabled=true');
    expect(plain).not.toContain('telegram');
    expect(plain).toContain(`token.value=${TOKEN}`);
    expect(tokens()).toBe(1);
    await expect.poll(shown).not.toContain('created when you copy');
    expect(document.body.textContent).not.toContain(TOKEN);
    // The page keeps its token until it is loaded again.
    expect(await copy()).toContain(TOKEN);
    expect(tokens()).toBe(1);
  });

  it('names Telegram only when it is on and both fields are filled', async () => {
    const { copy } = await show({ public_url: 'https://plimsoll.example.org' });
    await page.getByLabelText('Telegram notifications').click();
    await page.getByLabelText('Bot token', { exact: true }).fill('7412:AAFsecretsecretsecret');
    expect(await copy()).not.toContain('telegram');
    await page.getByLabelText('Chat / group ID').fill('-1002214407731');
    const both = await copy();
    expect(both).toContain('--set-string telegram.botToken=7412:AAFsecretsecretsecret');
    expect(both).toContain('--set-string telegram.chatId=-1002214407731');
    expect(shown()).not.toContain('AAFsecretsecret');
    await page.getByLabelText('Cluster name').fill('production');
    expect(await copy()).toContain('--set-string clusterName=production \\');
  });

  it('is not offered for a registry that is none, and drops a slash at its end', async () => {
    const { copy } = await show({ public_url: 'https://plimsoll.example.org' });
    await page.getByLabelText('Image registry').fill('https://other.example.org');
    await expect.element(page.getByText(/Image registry: must be lower case/)).toBeVisible();
    expect(page.getByRole('button', { name: /Copy command|Copied/ }).elements()).toEqual([]);
    await page.getByLabelText('Image registry').fill('other.example.org/');
    expect(await copy()).toContain('--set image.registry=other.example.org \\');
  });

  it('counts the seconds of its installation, of another one anew', async () => {
    const { copy } = await show({ public_url: 'https://plimsoll.example.org' });
    await copy();
    await expect.element(page.getByText(/s of about 90 s/)).toBeVisible();
    await page.getByLabelText('Prometheus and kube-state-metrics').click();
    await expect.element(page.getByText(/about 60 s/).first()).toBeVisible();
    expect(page.getByText(/s of about/).elements()).toEqual([]);
    await page.getByRole('button', { name: 'Check Now' }).click();
    await expect.element(page.getByText('No Kubernetes nodes connected yet')).toBeVisible();
  });

  it('is not offered for an address that no pod reaches', async () => {
    await show({ public_url: 'http://127.0.0.1:8420' });
    await expect.element(page.getByText(/Pods cannot report to it, so the command cannot work yet\./)).toBeVisible();
    expect(page.getByRole('button', { name: 'Copy command' }).elements()).toEqual([]);
    await page.getByRole('button', { name: 'Check Now' }).click();
    await expect.element(page.getByText('No Kubernetes nodes connected yet')).toBeVisible();
  });
});

describe('the command for a host', () => {
  it('is also copied for machines without curl; that for a cluster uses Helm', async () => {
    const copied: string[] = [];
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation((text) => {
      copied.push(text);
      return Promise.resolve();
    });
    onTestFinished(() => write.mockRestore());
    const answers = {
      'POST /api/user/enrolment-tokens': {
        data: { ...MADE, public_url: 'https://plimsoll.example.org', token: 'ple_x' },
      },
    };
    const { settled } = await drawApp(paths.setup, { answers, width: 390 });
    await settled();
    await page.getByRole('button', { name: 'Copy with wget' }).click();
    await expect.poll(() => copied).toHaveLength(1);
    expect(copied[0]).toBe(
      'wget -qO- https://plimsoll.example.org/install.sh | sudo sh -s -- --url https://plimsoll.example.org --token ple_x',
    );
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
    await show({ public_url: 'https://plimsoll.example.org' });
    expect(page.getByRole('button', { name: 'Copy with wget' }).elements()).toEqual([]);
  });
});
