import type { Hardware, ServerDetail } from '@plimsoll/contract/wire/servers';
import { describe, expect, it } from 'vitest';
import { draw } from '../../../testing/draw.tsx';
import { sampleServer } from '../../../testing/sample-server.ts';
import { ARRAY, DRIVE, HARDWARE, POOL, UPDATES } from './hardware-samples.ts';
import { HardwarePanel } from './hardware-panel.tsx';

const SERVER: ServerDetail = { ...(sampleServer() as ServerDetail), sources: {}, disks: [] };
const panel = (hardware: Partial<Hardware>, more: Partial<ServerDetail> = {}) =>
  draw(<HardwarePanel server={{ ...SERVER, ...more, hardware: { ...HARDWARE, ...hardware } }} />);
const now = (): number => Date.now() / 1000;

describe('the hardware panel', () => {
  it('names trouble first, with its level and what else is known', async () => {
    const screen = await panel({
      raid: [ARRAY, { ...ARRAY, name: 'md1', state: 'degraded', disks_active: 1, failed_disks: 'sdb1' }],
      pools: [POOL],
    });
    await expect.element(screen.getByText('1 needs attention')).toBeVisible();
    const rows = screen.getByRole('list', { name: 'Needs attention' }).getByRole('listitem');
    expect(rows.elements().map((row) => row.textContent)).toEqual([
      'Critical: md1 is degradedRAID 1 · 1 of 2 disks · failed: sdb1',
    ]);
    await expect.element(screen.getByText('1 array clean')).toBeVisible();
    await expect.element(screen.getByText('25 % used')).toBeVisible();
  });

  it('is quiet when all is well, with the age of what was read before', async () => {
    const screen = await panel({
      drives: [{ ...DRIVE, read_at: now() - 1900 }],
      updates: { ...UPDATES, checked_at: now() - 7300 },
    });
    await expect.element(screen.getByText('all well')).toBeVisible();
    expect(screen.getByRole('list', { name: 'Needs attention' }).elements()).toEqual([]);
    await expect.element(screen.getByText('hottest 36 °C, read 31 min ago')).toBeVisible();
    await expect.element(screen.getByText('no reboot needed, checked 2 h ago')).toBeVisible();
  });

  it('says why something is not available', async () => {
    const error = 'sda: smartctl: is not installed';
    const screen = await panel({}, { sources: { smart: { ok: true, duration_ms: 0, error } } });
    await expect.element(screen.getByText(`N/A, ${error}`)).toBeVisible();
  });

  it('gives the age of its figures when the server no longer reports', async () => {
    const seen = new Date(Date.now() - 42 * 60_000).toISOString();
    const screen = await panel({ raid: [ARRAY] }, { status: 'offline', last_seen_at: seen });
    await expect.element(screen.getByText('all well, 42 min ago')).toBeVisible();
  });

  it('is not drawn for a machine without any', async () => {
    const screen = await panel({});
    expect(screen.getByRole('heading', { name: 'Hardware' }).elements()).toEqual([]);
  });
});
