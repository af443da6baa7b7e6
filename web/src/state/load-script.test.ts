import { expect, test, vi } from 'vitest';
import { loadScript } from './load-script.ts';

test('a script that fails once is requested again', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error('cut')).mockResolvedValue('page');
  expect(await loadScript(load, 0)).toBe('page');
  expect(load).toHaveBeenCalledTimes(2);
});

test('a script that fails twice is an error, and one that loads is requested once', async () => {
  const gone = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('gone'));
  await expect(loadScript(gone, 0)).rejects.toThrow('gone');
  expect(gone).toHaveBeenCalledTimes(2);
  const fine = vi.fn<() => Promise<string>>().mockResolvedValue('page');
  expect([await loadScript(fine, 0), fine.mock.calls.length]).toEqual(['page', 1]);
});
