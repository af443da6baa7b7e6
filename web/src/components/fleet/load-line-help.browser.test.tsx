import { beforeEach, expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { BandSigns, LoadLineHelp, loadLineExplained } from './load-line-help.tsx';

// The browser is shared: another file may have shown the explanation.
beforeEach(() => loadLineExplained.set(false));

const help = () =>
  draw(
    <>
      <LoadLineHelp>
        <h2>Load line</h2>
      </LoadLineHelp>
      <BandSigns />
    </>,
  );
const SENTENCE = /^The load line is the warning threshold of each resource/;

it('explains the load line on the first visit, and behind a button afterwards', async () => {
  const first = await help();
  await expect.element(first.getByText(SENTENCE)).toBeVisible();
  await first.unmount();
  const second = await help();
  const button = second.getByRole('button', { name: 'Explain the load line' });
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  expect(second.getByText(SENTENCE).elements()).toEqual([]);
  await button.click();
  await expect.element(second.getByText(SENTENCE)).toBeVisible();
});

it('says the signs in words', async () => {
  const screen = await help();
  await expect.element(screen.getByText('over the line')).toBeVisible();
  await expect.element(screen.getByText('within 20 points')).toBeVisible();
});
