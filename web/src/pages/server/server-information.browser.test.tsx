import type { ServerDetail } from '@plimsoll/contract/wire/servers';
import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { sampleServer } from '../../testing/sample-server.ts';
import { ServerInformation } from './server-information.tsx';

const information = (given: Partial<ServerDetail>) =>
  draw(<ServerInformation server={{ ...sampleServer(), ...given } as ServerDetail} />);

it.each([
  ['lxc', 'LXC container on an unknown host'],
  ['docker', 'Docker container on an unknown host'],
  ['kvm', 'KVM virtual machine'],
])('says what a server with virtualization %s runs in', async (virtualization, text) => {
  const screen = await information({ virtualization });
  await expect.element(screen.getByText('Runs in')).toBeVisible();
  await expect.element(screen.getByText(text)).toBeVisible();
});

it.each([
  ['nothing was found', { virtualization: null }],
  ['an older API answers', {}],
  ['a pod reads its node', { virtualization: 'kubernetes', is_kubernetes_node: true }],
])('says nothing of it where %s', async (_, given) => {
  const screen = await information(given);
  await expect.element(screen.getByText('Architecture')).toBeVisible();
  expect(screen.getByText('Runs in').elements()).toEqual([]);
});
