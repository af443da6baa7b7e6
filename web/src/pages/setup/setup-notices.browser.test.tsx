import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { KitsNotice, LoopbackNotice, RegistryNotice } from './setup-notices.tsx';

const ORIGIN = 'http://127.0.0.1:8420';
const textOf = (screen: { container: Element }) => screen.container.textContent.replaceAll(/\s+/g, ' ');

it('prints the line that restarts the dashboard at an address of its machine', async () => {
  const screen = await draw(
    <LoopbackNotice origin={ORIGIN} addresses={['192.168.1.10', '10.0.0.7']} target="kubernetes" />,
  );
  expect(textOf(screen)).toContain('PLIMSOLL_HOST=0.0.0.0 PLIMSOLL_PUBLIC_URL=http://192.168.1.10:8420 npm start');
  expect(textOf(screen)).toContain('the command cannot work yet');
  expect(textOf(screen)).toContain('also has 10.0.0.7');
  await expect.element(screen.getByRole('button', { name: 'Copy restart line' })).toBeVisible();
});

it('offers no copy of a line that still needs an address', async () => {
  const screen = await draw(<LoopbackNotice origin={ORIGIN} addresses={[]} target="linux" />);
  expect(textOf(screen)).toContain('PLIMSOLL_PUBLIC_URL=http://ADDRESS:8420 npm start');
  expect(textOf(screen)).toContain('The command works on this machine.');
  expect(screen.getByRole('button').elements()).toEqual([]);
});

it('names the kits that are missing and the command that builds them', async () => {
  const screen = await draw(<KitsNotice target="macos" names={['AMD64', 'ARM64']} />);
  expect(textOf(screen)).toContain('The agent for macOS AMD64 and ARM64 is not built yet.');
  expect(textOf(screen)).toContain('npm run build:agent');
});

it('names the command that pushes the images and the setting of the registry', async () => {
  const screen = await draw(<RegistryNotice />);
  expect(textOf(screen)).toContain('npm run build:images -- --registry registry.example.com/team --push');
  expect(textOf(screen)).toContain('PLIMSOLL_IMAGE_REGISTRY');
  await expect.element(screen.getByRole('button', { name: 'Copy build line' })).toBeVisible();
});
