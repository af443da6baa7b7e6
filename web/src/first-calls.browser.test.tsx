import { expect, it } from 'vitest';
import { FIRST_CALLS, FRAME_CALLS } from './first-calls.ts';
import { drawApp } from './testing/draw-app.tsx';
import { ID } from './testing/every-answer.ts';

it.each(Object.entries(FIRST_CALLS))('%s makes each call that its document sends first', async (path, calls) => {
  const drawn = await drawApp(path.replace(':serverId', ID));
  await drawn.settled();
  const made = drawn.calls.map((call) => call.path);
  expect(made).toEqual(
    expect.arrayContaining([...FRAME_CALLS, ...calls].map((call) => call.replaceAll(':serverId', ID))),
  );
});
