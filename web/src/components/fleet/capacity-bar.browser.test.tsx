import { describe, expect, it } from 'vitest';
import { draw, fillOf, rgb } from '../../testing/draw.tsx';
import { DARK } from '../../tokens.ts';
import { CapacityBar } from './capacity-bar.tsx';

const fillPart = (meter: Element): Element => {
  const [fill] = meter.children;
  if (fill === undefined) throw new Error('the meter has no fill');
  return fill;
};

describe('a capacity bar', () => {
  it.each([
    ['clear of its line', 40, DARK.load.ok],
    ['20 points below its line', 60, DARK.load.near],
    ['at its line', 80, DARK.load.over],
    ['over its line', 91, DARK.load.over],
  ])('%s has the colour of its band', async (_, value, colour) => {
    const screen = await draw(<CapacityBar name="CPU" value={value} line={80} />);
    expect(fillOf(fillPart(screen.getByRole('meter').element()))).toBe(rgb(colour));
  });

  it('is grey when its value is old', async () => {
    const screen = await draw(<CapacityBar name="CPU" value={91} line={80} stale />);
    expect(fillOf(fillPart(screen.getByRole('meter').element()))).toBe(rgb(DARK.load.stale));
  });

  it('is as wide as its value', async () => {
    const screen = await draw(
      <div style={{ width: 200 }}>
        <CapacityBar name="Memory" value={35} line={80} />
      </div>,
    );
    const meter = screen.getByRole('meter', { name: 'Memory 35 %, 45 below the line' });
    expect(fillPart(meter.element()).getBoundingClientRect().width).toBeCloseTo(70, 0);
    await expect.element(meter).toHaveAttribute('aria-valuenow', '35');
  });

  it('shows a value just over its line beyond the line', async () => {
    const screen = await draw(
      <div style={{ width: 200 }}>
        <CapacityBar name="Disk" value={80.1} line={80} />
      </div>,
    );
    expect(fillPart(screen.getByRole('meter').element()).getBoundingClientRect().width).toBeCloseTo(165, 0);
  });

  it('is no meter when the value is not known', async () => {
    const screen = await draw(<CapacityBar name="Disk" value={null} line={80} />);
    await expect.element(screen.getByRole('img', { name: 'Disk not available' })).toBeInTheDocument();
    expect(screen.getByRole('meter').elements()).toEqual([]);
  });
});
