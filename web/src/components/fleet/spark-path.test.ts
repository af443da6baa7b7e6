import { describe, expect, it } from 'vitest';
import { sparkPaths } from './spark-path.ts';

const box = { width: 100, height: 50 };

describe('sparkPaths', () => {
  it('draws on a fixed scale of 0 to 100', () => {
    const paths = sparkPaths(
      [
        { at: 0, value: 0 },
        { at: 10, value: 100 },
      ],
      80,
      box,
    );
    expect(paths.curve).toBe('M0 50L100 0');
    expect(paths.lineY).toBe(10);
    expect(paths.area).toBe('M0 50L100 0L100 50L0 50Z');
  });

  it('does not join a gap', () => {
    const paths = sparkPaths(
      [
        { at: 0, value: 10 },
        { at: 1, value: null },
        { at: 2, value: 20 },
      ],
      80,
      box,
    );
    expect(paths.curve).toBe('M0 45M100 40');
  });

  it('lifts out what is over the line', () => {
    const paths = sparkPaths(
      [10, 85, 90, 20].map((value, at) => ({ at, value })),
      80,
      box,
    );
    expect(paths.over).toBe('M31.11 10L33.33 7.5L66.67 5L71.43 10');
  });

  it('has nothing to draw without points', () => {
    expect(sparkPaths([], 80, box)).toMatchObject({ curve: '', over: '', area: '' });
  });

  it('lifts out a single point that is over the line, from where the curve crosses it', () => {
    const paths = sparkPaths(
      [70, 90].map((value, at) => ({ at, value })),
      80,
      box,
    );
    expect(paths.over).toBe('M50 10L100 5');
  });
});
