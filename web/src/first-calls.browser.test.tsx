import { expect, it } from 'vitest';
import { FIRST_CALLS, FRAME_CALLS } from './first-calls.ts';
import { drawApp } from './testing/draw-app.tsx';
import { ID } from './testing/every-answer.ts';

/** The moment of a list's begin depends on the clock. */
const undated = (call: string) => call.replace(/start_date=(?:\d+|\{-\d+\})/, 'start_date=…');

it.each(Object.entries(FIRST_CALLS))('%s makes each call that its document sends first', async (path, calls) => {
  const drawn = await drawApp(path.replace(':serverId', ID));
  await drawn.settled();
  const made = drawn.calls.map((call) => undated(call.path));
  expect(made).toEqual(
    expect.arrayContaining([...FRAME_CALLS, ...calls].map((call) => undated(call.replaceAll(':serverId', ID)))),
  );
});
