import { expect, it } from 'vitest';
import { draw } from '../testing/draw.tsx';
import { MiddleTruncate } from './middle-truncate.tsx';

const NAME = 'checkout-api-6b9f7c5d8d-x2wlq';

it('names a link with the whole name, without a space where it is cut', async () => {
  const screen = await draw(
    <div style={{ width: 120 }}>
      <a href="/pods">
        <MiddleTruncate text={NAME} />
      </a>
    </div>,
  );
  const link = screen.getByRole('link', { name: NAME, exact: true });
  await expect.element(link).toBeVisible();
  expect(link.element().textContent).toBe(NAME);
});

it('keeps its end in sight when there is no room, and its beginning when there is', async () => {
  const screen = await draw(
    <div style={{ width: 120 }}>
      <MiddleTruncate text={NAME} />
    </div>,
  );
  await expect.element(screen.getByTitle(NAME)).toBeVisible();
  const part = (name: string) => screen.container.querySelector<HTMLElement>(`.${name}`) as HTMLElement;
  expect(getComputedStyle(part('tail'), '::before').content).toBe('"-x2wlq"');
  const box = screen.getByTitle(NAME).element().getBoundingClientRect();
  expect(part('tail').getBoundingClientRect().right).toBeLessThanOrEqual(box.left + 121);
  expect(part('head').scrollWidth).toBeGreaterThan(part('head').clientWidth);
});
