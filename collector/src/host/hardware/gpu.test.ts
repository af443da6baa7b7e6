import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMachine } from '../../testing/machine.ts';
import { gpuSource, parseNvidia, parseNvidiaProcesses } from './gpu.ts';

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

  it.each([
    ['i915', 'sys/class/drm/card0/power/rc6_residency_ms'],
    ['xe', 'sys/class/drm/card0/device/tile0/gt0/gtidle/idle_residency_ms'],
  ])('of Intel with %s have the share of time outside of the idle state as their use', async (_driver, counter) => {
    const card = 'sys/class/drm/card0/device';
    const idle = (ms: number) => `Line: ${counter} ${String(ms)}\n`;
    const machine = parseMachine(`Line: ${card}/vendor 0x8086\n${idle(1000)}Later:\n${idle(46_000)}`);
    const source = gpuSource(machine.files, refuse, false);
    const useAt = async (up: number) => (await source.read({ ts: up, up })).part.gpus?.[0]?.use_percent;
    expect(await useAt(0)).toBeNull();
    machine.later();
    expect(await useAt(60)).toBe(25);
    expect(await useAt(120)).toBe(100);
  });

  it('of NVIDIA list the largest of their processes, by the name of the program alone', async () => {
    const machine = parseMachine(
      [
        NVIDIA.trimEnd(),
        'Command: nvidia-smi --format=csv,noheader,nounits',
        '00000000:07:00.0, Tesla T4, 87, 4096, 15360, 61, 68.1, 70.0',
      ].join('\n'),
    );
    const listed = [
      '00000000:07:00.0, 812, 300, /opt/app/bin/worker --token=abc',
      '00000000:07:00.0, 4711, 2048, /usr/bin/python3',
      String.raw`00000000:07:00.0, 6, 1, C:\Program Files\Render\render.exe --key 1`,
      '00000000:07:00.0, 5, [N/A], [Insufficient Permissions]',
    ].join('\n');
    const exec = (file: string, argv: readonly string[]) =>
      argv[0]?.startsWith('--query-compute-apps') === true ? Promise.resolve(listed) : machine.exec(file, argv);
    const { part } = await gpuSource(machine.files, exec, true).read({ ts: 0, up: 0 });
    expect(part.gpus?.[0]).toMatchObject({
      use_percent: 87,
      processes: [
        { pid: 4711, name: 'python3', memory_bytes: 2048 * 1_048_576 },
        { pid: 812, name: 'worker', memory_bytes: 300 * 1_048_576 },
        { pid: 6, name: 'render.exe', memory_bytes: 1_048_576 },
        { pid: 5, name: 'unknown', memory_bytes: null },
      ],
    });
  });

  it('of NVIDIA have no list where the driver refuses it, and at most ten of it', async () => {
    const machine = parseMachine(
      `${NVIDIA}Command: nvidia-smi --format=csv,noheader,nounits\n00000000:07:00.0, T4, 1, 1, 1, 1, 1, 1`,
    );
    const exec = (file: string, argv: readonly string[]) =>
      argv[0]?.startsWith('--query-compute-apps') === true ? refuse() : machine.exec(file, argv);
    const { part } = await gpuSource(machine.files, exec, true).read({ ts: 0, up: 0 });
    expect(part.gpus?.[0]).not.toHaveProperty('processes');
    const many = Array.from({ length: 40 }, (_, pid) => `00000000:07:00.0, ${String(pid)}, ${String(pid)}, a`).join(
      '\n',
    );
    const largest = parseNvidiaProcesses(many).get('0000:07:00.0');
    expect([largest?.length, largest?.[0]?.pid]).toEqual([10, 39]);
  });

  it('of NVIDIA that are lost keep their names, with the sentence of the program', async () => {
    const lost = 'Unable to determine the device handle for GPU0: 0001:0B:00.0: Unknown Error';
    const machine = parseMachine(
      `Directory: proc/driver/nvidia/gpus/0000:07:00.0\nDirectory: proc/driver/nvidia/gpus/10001:0b:00.0\n` +
        `Command: nvidia-smi --format=csv,noheader,nounits\n00000000:07:00.0, T4, 1, 1, 1, 41, 1, 1\n${lost}`,
    );
    const { part, note } = await gpuSource(machine.files, machine.exec, true).read({ ts: 0, up: 0 });
    expect(part.gpus?.map(({ id, celsius }) => [id, celsius])).toEqual([
      ['0000:07:00.0', 41],
      ['10001:0b:00.0', null],
    ]);
    expect(note).toBe(`nvidia-smi: ${lost}`);
    expect(parseNvidia('00010001:0B:00.0, T4, 1, 1, 1, 41, 1, 1')[0]?.id).toBe('10001:0b:00.0');
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
