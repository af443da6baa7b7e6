import { expect, it } from 'vitest';
import { COUNTRIES } from '../format/region.ts';
import { draw } from '../testing/draw.tsx';
import { Region } from './flag.tsx';

it('shows a flag for each country that a region can name', async () => {
  const screen = await draw(
    <>
      {COUNTRIES.map((code) => (
        <p key={code} aria-label={code}>
          <Region region={code} />
        </p>
      ))}
    </>,
  );
  const lacking = COUNTRIES.filter((code) => screen.container.querySelector(`[aria-label="${code}"] img`) === null);
  expect(lacking).toEqual([]);
});
