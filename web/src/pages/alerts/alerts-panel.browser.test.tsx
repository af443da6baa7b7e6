import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { Alert } from '@plimsoll/contract/wire/alerts/alerts';
import { useCallback, useState } from 'react';
import { expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { SAMPLE_ALERT } from '../../testing/sample-alert.ts';
import { rowOfAlert } from '../../format/incident-rows.ts';
import type { Asking } from '../../components/feedback/feed-panel.tsx';
import type { Acting } from './acting/use-acting.ts';
import type { AlertRows } from './alert-list.ts';
import { AlertsPanel } from './alerts-panel.tsx';

const ASKED: Asking = { isPending: false, error: null, errorUpdatedAt: 0, refetch: () => undefined };
const ROWS = 30;

/** Alerts that count how often each one is drawn. */
function countedAlerts() {
  const drawn = new Map<string, number>();
  const alerts = Array.from({ length: ROWS }, (_, index): Alert => {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
    return {
      ...SAMPLE_ALERT,
      alert_id: id,
      tags: {
        get hostname() {
          drawn.set(id, (drawn.get(id) ?? 0) + 1);
          return `web-${String(index)}`;
        },
      },
    };
  });
  return { alerts, drawn };
}

const ACTING: Acting = {
  act: () => undefined,
  busy: false,
  done: null,
  error: null,
  undo: () => undefined,
  dismiss: () => undefined,
};

/** The functions stay the same from one drawing to the next, as those of the page. */
function List({ rows }: { rows: AlertRows }) {
  const [opened, setOpened] = useState('');
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const tick = useCallback((id: string, on: boolean) => setTicked(on ? [id] : []), []);
  return (
    <AlertsPanel
      rows={rows}
      all={false}
      isFiltered={false}
      asked={ASKED}
      opened={opened}
      onOpen={setOpened}
      acting={ACTING}
      ticked={ticked}
      onTick={tick}
      onTickAll={setTicked}
    />
  );
}

it('opening or ticking a row draws no other row', async () => {
  const { alerts, drawn } = countedAlerts();
  const screen = await draw(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <List rows={{ active: alerts.map(rowOfAlert), silenced: [], resolved: [] }} />
    </QueryClientProvider>,
  );
  const message = (index: number) => screen.getByRole('button', { name: new RegExp(`^web-${String(index)}: CPU`) });
  await expect.element(message(ROWS - 1)).toBeInTheDocument();
  for (const index of [3, 7]) {
    drawn.clear();
    await message(index).click();
    await expect.element(message(index)).toHaveAttribute('aria-expanded', 'true');
    // The row that was open closes.
    expect([...drawn.keys()].map((id) => Number(id.slice(-12))).filter((one) => ![3, index].includes(one))).toEqual([]);
  }
  drawn.clear();
  const tick = screen.getByRole('checkbox', { name: /^Tick web-5: CPU/ });
  await tick.click();
  await expect.element(tick).toBeChecked();
  // The open row draws again when its details arrive, which may be now.
  expect([...drawn.keys()].map((id) => Number(id.slice(-12))).filter((one) => one !== 7)).toEqual([5]);
});
