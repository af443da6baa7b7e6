import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { describe, expect, it } from 'vitest';
import { colourOf, draw, rgb } from '../testing/draw.tsx';
import { rowOfAlert } from '../format/incident-rows.ts';
import { DARK } from '../tokens.ts';
import { AlertRow } from './alert-row.tsx';

const ALERT = {
  alert_id: 'a',
  server_id: 's',
  level: 'critical',
  title: 'CPU',
  message: 'CPU above 95 %',
  status: 'active',
  timestamp: 1_790_000_000,
  resolved_at: null,
  metric_name: 'cpu_usage',
  current_value: 97.2,
  threshold_value: 95,
  acknowledged_at: null,
  acknowledged_by: null,
  acknowledged_note: null,
  silenced_until: null,
  silence_id: null,
  incident: null,
  rule_id: 'default-cpu',
  tags: { hostname: 'web-1' },
} satisfies Alert;
const row = (given: Partial<Alert> = {}) => draw(<AlertRow row={rowOfAlert({ ...ALERT, ...given })} />);

function iconOf(container: Element): Element {
  const icon = container.querySelector('svg');
  if (icon === null) throw new Error('the row has no icon');
  return icon;
}

describe('an alert in a feed', () => {
  it('says its level, message, host and value against its threshold', async () => {
    const screen = await row();
    await expect.element(screen.getByText(/^Critical: web-1 · CPU above 95\s%$/)).toBeVisible();
    await expect.element(screen.getByRole('link', { name: 'web-1' })).toHaveAttribute('href', '/servers/s');
    await expect.element(screen.getByText(/^97\.2\s?%$/)).toBeVisible();
    expect(screen.container.textContent).toContain('/ 95 %');
  });

  it('has no figure for a state', async () => {
    const screen = await row({ metric_name: 'offline', current_value: null, threshold_value: null });
    await expect.element(screen.getByText('web-1')).toBeVisible();
    expect(screen.container.textContent).not.toContain('N/A');
  });

  it('has N/A for a figure that nobody knows', async () => {
    const screen = await row({ current_value: null });
    await expect.element(screen.getByText('N/A')).toBeVisible();
  });

  it('leads to the moment it fired', async () => {
    const screen = await row();
    const href = screen.getByRole('link', { name: 'Processes at that time' }).element().getAttribute('href') ?? '';
    expect(new URL(href, 'http://x').searchParams.get('at')).toBe('2026-09-21T14:13:20Z');
  });

  it.each([
    ['critical', DARK.load.overText],
    ['warning', DARK.load.nearText],
  ] as const)('has the colour of its level: %s', async (level, colour) => {
    const screen = await row({ level });
    expect(colourOf(iconOf(screen.container))).toBe(rgb(colour));
  });

  it('is no longer red once it is resolved', async () => {
    const screen = await row({ status: 'resolved', resolved_at: '2026-09-21T13:00:00.000Z' });
    expect(colourOf(iconOf(screen.container))).not.toBe(rgb(DARK.load.overText));
  });

  it('says N/A for a value that is not known, and that it is acknowledged', async () => {
    const screen = await row({ current_value: null, acknowledged_at: '2026-09-21T13:00:00.000Z' });
    await expect.element(screen.getByText('N/A')).toBeVisible();
    await expect.element(screen.getByText('acknowledged')).toBeVisible();
    expect(screen.container.textContent).not.toContain('/ 95');
  });
});
