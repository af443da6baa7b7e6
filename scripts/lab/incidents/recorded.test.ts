import { describe, expect, it } from 'vitest';
import { readRecordings, scoreNow } from './replay.ts';

/** Evidence of real runs of the incident lab (`npm run incidents`): the analyser may not become worse at any of them. */
describe('recorded runs', () => {
  const recordings = readRecordings();

  it('are there', () => {
    expect(recordings.length).toBeGreaterThan(0);
  });

  it.each(recordings)('$incident keeps its score', (recording) => {
    expect(scoreNow(recording)).toBeGreaterThanOrEqual(recording.score);
  });
});
