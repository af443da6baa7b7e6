import { expect, it } from 'vitest';
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
