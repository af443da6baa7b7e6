import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connection, recordAnswer, recordOffline, recordUnreachable } from '../../state/connection.ts';
import { freshness, NOTHING_SHOWN } from '../../state/freshness.ts';
import { liveness } from '../../state/liveness.ts';
import { chosenZone, dayAndTime } from '../../time/zone.ts';
import { colourOf, draw, rgb } from '../../testing/draw.tsx';
import { DARK } from '../../tokens.ts';
import { ConnectionBand } from './connection-band.tsx';
import { ConnectionStatus } from './connection-status.tsx';
import { sinceMoment } from '../../time/since-moment.ts';

const SECOND = 1000;
/** The moment the test started: the components read the real clock. */
let now = 0;

const status = () =>
  draw(
    <QueryClientProvider client={new QueryClient()}>
      <ConnectionStatus />
      <ConnectionBand />
    </QueryClientProvider>,
  );
/** Sets the age of the last answer, in seconds. */
const answeredAgo = (seconds: number) =>
  connection.set({ answeredAt: now - seconds * SECOND, fault: null, refusal: null });

beforeEach(() => {
  now = Date.now();
  chosenZone.set('UTC');
  answeredAgo(0);
});
afterEach(() => {
  freshness.set(NOTHING_SHOWN);
  liveness.set(true);
  chosenZone.set(null);
});

describe('the state of the connection in the top bar', () => {
  it('is Live beside the age of the data, which is a figure of its own', async () => {
    freshness.set({ verb: 'updated', at: now - 300 * SECOND, silent: false });
    const screen = await status();
    await expect.element(screen.getByText('Live', { exact: true })).toBeVisible();
    await expect.element(screen.getByText('5 min ago')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Connection' }).elements()).toEqual([]);
  });

  it('is Late with its age in amber, without a band', async () => {
    answeredAgo(45);
    const screen = await status();
    const late = screen.getByText(/^Late 4\d s$/);
    await expect.element(late).toBeVisible();
    expect(colourOf(late.element())).toBe(rgb(DARK.load.nearText));
    await expect.element(screen.getByRole('status')).toMatchTextContent(/^Connection: late\./);
    expect(screen.getByRole('region', { name: 'Connection' }).elements()).toEqual([]);
  });

  it('has no connection after 90 s: one band with the moment of the last answer', async () => {
    answeredAgo(91);
    const since = sinceMoment(now - 91 * SECOND, now);
    const screen = await status();
    await expect.element(screen.getByText(`No connection since ${since}`).first()).toBeVisible();
    await expect.element(screen.getByRole('status')).toHaveTextContent('No connection to the API');
    await expect
      .element(screen.getByRole('region', { name: 'Connection' }))
      .toMatchTextContent(new RegExp(`The API does not answer\\. The figures below are from ${since} or older\\.`));
    expect(screen.getByText('Live', { exact: true }).elements()).toEqual([]);
  });

  it('names the day of an answer that is not of today', async () => {
    answeredAgo(86_400);
    const screen = await status();
    const moment = dayAndTime(now - 86_400 * SECOND);
    await expect.element(screen.getByText(`No connection since ${moment}`).first()).toBeVisible();
  });

  it('shows the band at once when the browser goes offline, and takes it away with the next answer', async () => {
    const screen = await status();
    await expect.element(screen.getByText('Live', { exact: true })).toBeVisible();
    recordOffline();
    const band = screen.getByRole('region', { name: 'Connection' });
    await expect.element(band).toMatchTextContent(/This browser has no network\./);
    expect(band.getByRole('button').elements()).toEqual([]);
    connection.set({ ...connection.get(), fault: 'unreachable' });
    recordAnswer(now);
    await expect.element(band).not.toBeInTheDocument();
    await expect.element(screen.getByText('Live', { exact: true })).toBeVisible();
  });

  it('shows the reason of an API that refuses to answer', async () => {
    recordUnreachable('The database does not answer');
    const screen = await status();
    await expect
      .element(screen.getByRole('region', { name: 'Connection' }))
      .toMatchTextContent(/The API refuses to answer: The database does not answer\./);
  });

  it('never calls a silent server live', async () => {
    freshness.set({ verb: 'reported', at: now - 19 * 60 * SECOND, silent: true });
    const screen = await status();
    await expect.element(screen.getByText('Last report 19 min ago')).toBeVisible();
    expect(screen.getByText('Live', { exact: true }).elements()).toEqual([]);
  });

  it('keeps the lost connection in sight of a paused page', async () => {
    liveness.set(false);
    const screen = await status();
    await expect.element(screen.getByText('Paused')).toBeVisible();
    recordOffline();
    await expect.element(screen.getByRole('region', { name: 'Connection' })).toBeVisible();
    expect(screen.getByText('Paused').elements()).toEqual([]);
  });
});
