import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMachine } from '../../testing/machine.ts';
import { gpuSource, parseNvidia } from './gpu.ts';

const NVIDIA = 'Path: proc/driver/nvidia/gpus/0000:07:00.0/information\nModel: \t Tesla T4\n';
const refuse = (): Promise<string> => Promise.reject(new Error('nvidia-smi: is not installed'));

describe('GPUs', () => {
  it('have no part on a machine without one, and start no child there', async () => {
    const { files } = parseMachine('Line: sys/class/drm/version drm 1.1.0\n');
    expect(await gpuSource(files, refuse, true).read({ ts: 0, up: 0 })).toEqual({ part: {} });
  });

  it('of NVIDIA keep their names when the program fails, with its reason', async () => {
    const { part, note } = await gpuSource(parseMachine(NVIDIA).files, refuse, true).read({ ts: 0, up: 0 });
    expect(part.gpus).toMatchObject([{ id: '0000:07:00.0', name: 'Tesla T4', use_percent: null, celsius: null }]);
    expect(note).toBe('nvidia-smi: is not installed');
  });

  it('of Intel have no power when the counter went back', async () => {
    const card = 'sys/class/drm/card0/device';
    const energy = (value: number) => `Line: ${card}/hwmon/hwmon1/energy1_input ${String(value)}\n`;
    const machine = parseMachine(`Line: ${card}/vendor 0x8086\n${energy(5_000_000)}Later:\n${energy(1_000_000)}`);
    const source = gpuSource(machine.files, refuse, false);
    await source.read({ ts: 0, up: 0 });
    expect((await source.read({ ts: 1, up: 1 })).part.gpus?.[0]?.power_watts).toBe(0);
    machine.later();
    expect((await source.read({ ts: 2, up: 2 })).part.gpus?.[0]?.power_watts).toBeNull();
  });

  it('have figures in bounds or none, whatever nvidia-smi prints', () => {
    const word = fc.oneof(fc.string(), fc.double().map(String), fc.constantFrom('[N/A]', '[Not Supported]', '1e5', ''));
    fc.assert(
      fc.property(fc.array(word, { maxLength: 8 }), (words) => {
        for (const gpu of parseNvidia(`00000000:07:00.0, GPU, ${words.join(', ')}\n${words.join(',')}`)) {
          const { use_percent: use, celsius, power_watts: watts, memory_used_bytes: used } = gpu;
          for (const one of [use, celsius, watts, used])
            expect(one === null || (Number.isFinite(one) && one >= 0)).toBe(true);
          expect(use ?? 0).toBeLessThanOrEqual(100);
        }
      }),
    );
  });
});
