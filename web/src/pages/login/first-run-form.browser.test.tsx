import { expect, it, vi } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { FirstRunForm } from './first-run-form.tsx';

const CODE = 'Zr3_kQ-9pLw2vX7yTn5bC1dF4gH6jK8mN0sR3tU5wY';

it('accepts the printed line and refuses what holds no code', async () => {
  const onCode = vi.fn<(code: string) => void>();
  const screen = await draw(<FirstRunForm onCode={onCode} />);
  const field = screen.getByLabelText('Printed link or its code');
  await field.fill('http://127.0.0.1:8420/login');
  await screen.getByRole('button', { name: 'Continue' }).click();
  await expect.element(screen.getByText(/This is not the printed line/)).toBeVisible();
  expect(onCode).not.toHaveBeenCalled();
  await field.fill(`Sign in: http://127.0.0.1:8420/login#setup=${CODE}`);
  expect(screen.getByText(/This is not the printed line/).elements()).toEqual([]);
  await screen.getByRole('button', { name: 'Continue' }).click();
  expect(onCode).toHaveBeenCalledExactlyOnceWith(CODE);
});
