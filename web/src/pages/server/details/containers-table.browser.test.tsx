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

it.each([
  [560, 'none'],
  [700, 'table-cell'],
])('in a panel of %i px the runtime has display %s', async (width, display) => {
  const table = <ContainersTable subject="web-1" containers={[one('docker', 'a')]} />;
  const screen = await draw(<div style={{ width }}>{table}</div>);
  await expect.element(screen.getByRole('rowheader', { name: 'a' })).toBeVisible();
  const cells = [screen.getByText('Runtime'), screen.getByText('docker', { exact: true })];
  expect(cells.map((cell) => getComputedStyle(cell.element()).display)).toEqual([display, display]);
});
