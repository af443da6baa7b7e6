import type { Runtime } from '../runtime/native.ts';
import type { Source } from '../source.ts';

export function loadSourceDarwin(runtime: Runtime): Source {
  return {
    name: 'load',
    read: async () => {
      const [one = 0, five = 0, fifteen = 0] = runtime.loadavg();
      return { part: { load: { one, five, fifteen } } };
    },
  };
}
