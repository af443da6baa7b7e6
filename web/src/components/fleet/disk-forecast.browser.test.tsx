import type { DiskForecast } from '@plimsoll/contract/wire/servers';
import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { DiskForecastText } from './disk-forecast.tsx';

const forecast = (reason: DiskForecast['reason']): DiskForecast => ({
  mount: '/',
  line: 80,
  reason,
  reaches_at: null,
  growth_bytes_per_day: null,
  based_on_hours: null,
  confidence: null,
  as_of: '2026-11-22T20:00:00.000Z',
});

it('is a dash in a column where a disk does not fill up, with the reason for the mouse and a screen reader', async () => {
  const screen = await draw(<DiskForecastText forecast={forecast('not_growing')} dash />);
  expect(screen.container.textContent).toBe('–not growing');
  await expect.element(screen.getByTitle('/: Its use does not grow.')).toBeVisible();
});

it('stays N/A where the forecast is not known, and outside of a column', async () => {
  const column = await draw(<DiskForecastText forecast={forecast('too_little_history')} dash />);
  expect(column.container.textContent).toBe('N/A, too little history');
  const single = await draw(<DiskForecastText forecast={forecast('not_growing')} />);
  expect(single.container.textContent).toBe('N/A, not growing');
});
