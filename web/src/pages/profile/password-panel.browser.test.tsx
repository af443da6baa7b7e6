import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { PasswordPanel } from './password-panel.tsx';

const CHANGE = 'PUT /api/auth/password';
const draw = async (answer: object) => {
  const drawn = await drawPage(<PasswordPanel />, { [CHANGE]: answer as { data: unknown } }, { at: '/profile' });
  await drawn.screen.getByRole('button', { name: 'Change password' }).click();
  return drawn;
};

it('sends both passwords, hides them, and says that other sessions ended', async () => {
  const { screen, callsTo } = await draw({ data: {} });
  const change = screen.getByRole('button', { name: 'Change', exact: true });
  await expect.element(screen.getByLabelText('Current password', { exact: true })).toHaveAttribute('type', 'password');
  await screen.getByLabelText('Current password', { exact: true }).fill('correct horse battery');
  await screen.getByLabelText('New password', { exact: true }).fill('short');
  await expect.element(change).toBeDisabled();
  await expect.element(screen.getByText('At least 12 characters, 7 more')).toBeVisible();
  await screen.getByLabelText('New password', { exact: true }).fill('another battery staple');
  await change.click();
  await expect.element(screen.getByText(/Your other sessions have ended/)).toBeVisible();
  expect(callsTo('PUT', '/api/auth/password').map(({ body }) => body)).toEqual([
    { current_password: 'correct horse battery', new_password: 'another battery staple' },
  ]);
});

it('keeps what was typed when the API refuses, and says why', async () => {
  const { screen, callsTo } = await draw({ status: 400, detail: 'current_password: is required', remedy: 'Send it.' });
  await screen.getByLabelText('New password', { exact: true }).fill('another battery staple');
  await screen.getByRole('button', { name: 'Change', exact: true }).click();
  await expect.element(screen.getByText(/current_password: is required/)).toBeVisible();
  await expect.element(screen.getByLabelText('New password', { exact: true })).toHaveValue('another battery staple');
  expect(callsTo('PUT', '/api/auth/password').map(({ body }) => body)).toEqual([
    { current_password: null, new_password: 'another battery staple' },
  ]);
});
