import type { HiddenPart } from '@plimsoll/contract/wire/hidden-parts';
import { expect, it, vi } from 'vitest';
import { draw } from '../../../testing/draw.tsx';
import { TemperaturesTable } from '../details/temperatures-table.tsx';
import { HiddenPanel } from './hidden-panel.tsx';
import { HidingProvider } from './hiding.tsx';

const SENSOR = { chip: 'coretemp', label: 'Package id 0', celsius: 61, critical_celsius: 100 };
const HIDDEN = [
  { kind: 'container' as const, subject: 'etl', hidden_at: new Date().toISOString() },
  { kind: 'filesystem' as const, subject: '/mnt/usb', hidden_at: new Date().toISOString() },
];

it('a row has a button that hides it by the subject of its alerts', async () => {
  const hide = vi.fn<(part: HiddenPart) => void>();
  const screen = await draw(
    <HidingProvider value={hide}>
      <TemperaturesTable subject="web-1" temperatures={[SENSOR]} />
    </HidingProvider>,
  );
  await screen.getByRole('button', { name: 'Hide coretemp Package id 0' }).click();
  expect(hide).toHaveBeenCalledWith({ kind: 'sensor', subject: 'coretemp Package id 0' });
});

it('a viewer sees no such button', async () => {
  const screen = await draw(<TemperaturesTable subject="web-1" temperatures={[SENSOR]} />);
  expect(screen.getByRole('button', { name: /^Hide / }).elements()).toEqual([]);
});

it('says how many are hidden, and shows each again', async () => {
  const show = vi.fn<(part: HiddenPart) => void>();
  const screen = await draw(<HiddenPanel hidden={HIDDEN} onShow={show} problem={null} />);
  await expect.element(screen.getByRole('heading', { name: '2 hidden' })).toBeVisible();
  await screen.getByRole('button', { name: 'Show again /mnt/usb' }).click();
  expect(show).toHaveBeenCalledWith({ kind: 'filesystem', subject: '/mnt/usb' });
});

it('shows a viewer what is hidden, without a way to change it', async () => {
  const screen = await draw(<HiddenPanel hidden={HIDDEN} onShow={null} problem={null} />);
  await expect.element(screen.getByText('etl')).toBeVisible();
  expect(screen.getByRole('button').elements()).toEqual([]);
});

it('says why a change failed', async () => {
  const screen = await draw(<HiddenPanel hidden={[]} onShow={null} problem="A server has at most 200 hidden parts" />);
  await expect.element(screen.getByText('A server has at most 200 hidden parts')).toBeVisible();
});
