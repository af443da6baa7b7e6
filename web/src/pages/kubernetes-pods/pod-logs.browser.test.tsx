import type { PodLogsAnswer } from '@plimsoll/contract/wire/kubernetes';
import { expect, it } from 'vitest';
import { drawPage } from '../../testing/draw-page.tsx';
import { SAMPLE_POD } from '../../testing/sample-pod.ts';
import { PodLogs } from './pod-logs.tsx';

const POD = { clusterId: 'c-1', namespace: 'shop', name: 'web-1' };
const PATH = '/api/kubernetes/pods/shop/web-1/logs';
const [app] = SAMPLE_POD.containers;
const answer = (parts: Partial<PodLogsAnswer>) => ({
  data: {
    state: 'ready',
    container: 'app',
    previous: false,
    lines: [],
    requested_at: new Date().toISOString(),
    fetched_at: new Date().toISOString(),
    detail: null,
    retry_seconds: null,
    ...parts,
  },
});
const drawLogs = (given: Parameters<typeof drawPage>[1][string], containers = SAMPLE_POD.containers) =>
  drawPage(<PodLogs pod={POD} containers={containers} />, { [`GET ${PATH}`]: given });
const BUTTON = { name: 'Show last 200 lines' };

it('reads nothing until somebody asks, then shows the lines with their age', async () => {
  const { screen, callsTo } = await drawLogs(answer({ lines: ['started', 'no database'] }));
  expect(callsTo('GET', PATH)).toEqual([]);
  await screen.getByRole('button', BUTTON).click();
  const log = screen.getByRole('region', { name: 'Log of app' });
  await expect.element(log).toBeVisible();
  expect(log.element().textContent).toBe('started\nno database');
  await expect.element(screen.getByText(/^Last 2 lines/)).toBeVisible();
  expect(callsTo('GET', PATH)[0]?.path).toBe(`${PATH}?cluster_id=c-1&container=app`);
});

it('asks again while the collector reads', async () => {
  let round = 0;
  const { screen } = await drawLogs(() => {
    round += 1;
    return round === 1 ? answer({ state: 'pending', fetched_at: null }) : answer({ lines: ['done'] });
  });
  await screen.getByRole('button', BUTTON).click();
  await expect.element(screen.getByText(/cluster collector reads the log/)).toBeVisible();
  await expect.element(screen.getByRole('region', { name: 'Log of app' })).toBeVisible();
});

it('keeps the lines while newer ones are read, and refreshes them every 5 s', async () => {
  let round = 0;
  const { screen, callsTo } = await drawLogs(() => {
    round += 1;
    return round === 1
      ? answer({ lines: ['one'] })
      : answer({ state: round === 2 ? 'pending' : 'ready', lines: ['one', 'two'] });
  });
  await screen.getByRole('button', BUTTON).click();
  await expect.element(screen.getByText(/refreshed every 5 s/)).toBeVisible();
  await expect.element(screen.getByText(/^Last 2 lines/)).toBeVisible();
  expect(callsTo('GET', PATH).length).toBeGreaterThan(1);
  expect(screen.getByText(/cluster collector reads the log/).elements()).toEqual([]);
});

it('says which value of the chart to set when logs are off', async () => {
  const { screen } = await drawLogs({
    status: 409,
    detail: 'The cluster collector of this cluster does not read logs',
    remedy: 'Set clusterCollector.podLogs=true in the chart.',
  });
  await screen.getByRole('button', BUTTON).click();
  await expect.element(screen.getByText(/clusterCollector\.podLogs=true/)).toBeVisible();
});

it('says why the collector could not read', async () => {
  const { screen } = await drawLogs(answer({ state: 'failed', detail: 'forbidden: needs pods/log get' }));
  await screen.getByRole('button', BUTTON).click();
  await expect.element(screen.getByText('forbidden: needs pods/log get')).toBeVisible();
});

it('offers the previous run of a container that has one', async () => {
  if (app === undefined) throw new Error('the sample pod has a container');
  const ended = { reason: 'Error', message: null, exit_code: 1, finished_at: null };
  const { screen, callsTo } = await drawLogs(answer({}), [{ ...app, last_termination: ended }]);
  await screen.getByRole('checkbox', { name: 'Previous run' }).click();
  await screen.getByRole('button', BUTTON).click();
  await expect.element(screen.getByText(/^The container wrote nothing/)).toBeVisible();
  expect(callsTo('GET', PATH)[0]?.path).toContain('previous=true');
});
