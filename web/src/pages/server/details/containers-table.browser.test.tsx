import type { ContainerPart } from '@plimsoll/contract/wire/container-part';
import { expect, it } from 'vitest';
import { draw } from '../../../testing/draw.tsx';
import { ContainersTable } from './containers-table.tsx';

const one = (runtime: string, name: string): ContainerPart => ({
  id: `${runtime}/${name}`,
  name,
  image: null,
  runtime,
  cpu_percent: 1,
  memory_bytes: 1000,
  memory_limit_bytes: null,
});

it.each([
  ['containers alone', [one('docker', 'a'), one('lxc', 'b')], /^2 containers, CPU/],
  ['a virtual machine as well', [one('docker', 'a'), one('qemu', 'win11')], /^1 container, 1 virtual machine, CPU/],
])('counts %s', async (_, containers, note) => {
  const screen = await draw(<ContainersTable subject="web-1" containers={containers} />);
  await expect.element(screen.getByText(note).first()).toBeInTheDocument();
});
