import { expect, it, onTestFinished } from 'vitest';
import { publicUrl } from '../state/public-url.ts';
import { draw } from '../testing/draw.tsx';
import { Page } from './page.tsx';

it('says its canonical address in the head of the document', async () => {
  const screen = await draw(
    <Page title="Activity" canonical="/activity">
      events
    </Page>,
  );
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
  const link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  expect(link?.href).toBe(`${window.location.origin}/activity`);
});

it('begins its canonical address with the public URL, whatever the browser was given', async () => {
  onTestFinished(() => publicUrl.set(null));
  publicUrl.set('https://plimsoll.example.com/status');
  const screen = await draw(
    <Page title="Activity" canonical="/activity">
      events
    </Page>,
  );
  await expect.element(screen.getByRole('heading', { level: 1, name: 'Activity' })).toBeVisible();
  const link = document.head.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  expect(link?.href).toBe('https://plimsoll.example.com/status/activity');
});
