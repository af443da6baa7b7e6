import { describe, expect, it } from 'vitest';
import { draw } from '../../testing/draw.tsx';
import { StageSteps } from './stage-steps.tsx';

const SERVER = { target: 'linux', prometheus: false } as const;
const CLUSTER = { target: 'kubernetes', prometheus: false } as const;

describe('the steps of an installation', () => {
  it('are two for a server and four for a cluster', async () => {
    const server = await draw(<StageSteps plan={SERVER} stage="installing" percent={0} started={false} />);
    expect(server.getByRole('listitem').elements()).toHaveLength(2);
    await server.unmount();
    const cluster = await draw(<StageSteps plan={CLUSTER} stage="installing" percent={0} started={false} />);
    expect(
      cluster
        .getByRole('listitem')
        .elements()
        .map((step) => step.textContent),
    ).toEqual(['Installing0 s', 'Starting20 s', 'Connecting40 s', 'Readyabout 60 s']);
  });

  it('have no current step before the command is copied', async () => {
    const screen = await draw(<StageSteps plan={CLUSTER} stage="installing" percent={0} started={false} />);
    expect(
      screen
        .getByRole('listitem')
        .elements()
        .filter((step) => step.hasAttribute('aria-current')),
    ).toEqual([]);
  });

  it('mark exactly the current one', async () => {
    const screen = await draw(<StageSteps plan={CLUSTER} stage="starting" percent={40} started />);
    const current = screen
      .getByRole('listitem')
      .elements()
      .filter((step) => step.getAttribute('aria-current') === 'step');
    expect(current.map((step) => step.textContent)).toEqual(['Starting20 s']);
  });

  it('have none left at the end', async () => {
    const screen = await draw(<StageSteps plan={SERVER} stage="ready" percent={100} started />);
    expect(
      screen
        .getByRole('listitem')
        .elements()
        .filter((step) => step.hasAttribute('aria-current')),
    ).toEqual([]);
  });
});
