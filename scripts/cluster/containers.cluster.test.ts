/** The collector of a host with a real engine: the nodes of the test cluster are containers of it. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { capture } from './shell.ts';

interface Container {
  id: string;
  name: string | null;
  image: string | null;
  cpu_percent: number | null;
  memory_bytes: number | null;
}

const engine = process.env.PLIMSOLL_TEST_ENGINE ?? 'docker';
const main = join(import.meta.dirname, '../../collector/src/main.ts');
/** A mount namespace of its own shows the engine's folder where engines have it. */
const SCRIPT = `mount -t tmpfs tmpfs /var/lib && mkdir /var/lib/docker && mount --bind "$1" /var/lib/docker &&
  exec "$2" "$3" once --print`;

test.skipIf(engine !== 'docker' || process.getuid?.() !== 0)(
  'names each container of the engine, with its image, its processor and its memory',
  () => {
    const folder = capture(engine, ['info', '--format', '{{.DockerRootDir}}']).trim();
    const printed = capture('unshare', ['-m', 'sh', '-c', SCRIPT, 'sh', folder, process.execPath, main]);
    const { containers } = JSON.parse(printed) as { containers: Container[] };
    const running = capture(engine, ['ps', '--no-trunc', '--format', '{{.ID}} {{.Names}} {{.Image}}'])
      .trim()
      .split('\n');
    expect(running).not.toEqual([]);
    for (const line of running) {
      const [id = '', name, image] = line.split(' ');
      const found = containers.find((one) => one.id === id.slice(0, 12));
      expect(found).toMatchObject({ name, image, cpu_percent: expect.any(Number) });
      const [used = ''] = capture(engine, ['stats', '--no-stream', '--format', '{{.MemUsage}}', id]).split(' / ');
      expect((found?.memory_bytes ?? 0) / bytesOf(used)).toBeCloseTo(1, 0);
    }
  },
);

/** "612.3MiB" */
function bytesOf(text: string): number {
  const [, figure, unit = ''] = /^([\d.]+)([KMG]i)?B$/.exec(text.trim()) ?? [];
  return Number(figure) * ({ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30 }[unit] ?? 1);
}
