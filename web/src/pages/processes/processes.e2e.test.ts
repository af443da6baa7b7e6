import { describe, expect, it } from 'vitest';
import { paths } from '../../paths.ts';
import { enrol, enrolmentToken } from '../../testing/fleet.ts';
import type { HostSample } from '../../testing/host-report.ts';
import { addressed, lookAt, onStage } from '../../testing/stage.ts';

const MB = 2 ** 20;
const HOUR = 3600;
const now = Date.now() / 1000;
type Process = NonNullable<HostSample['processes']>[number];
const process = (pid: number, name: string, given: Partial<Process>): Process => ({
  pid,
  name,
  command: `/usr/bin/${name}`,
  user: 'root',
  status: 'S',
  cpu_percent: 1,
  memory_percent: 1,
  memory_bytes: 10 * MB,
  threads: 1,
  started_at: now - 2 * HOUR,
  ...given,
});
const WEB: Process[] = [
  process(10, 'ffmpeg', { cpu_percent: 651, status: 'R', user: 'media', memory_percent: 12, memory_bytes: 948 * MB }),
  process(11, 'postgres', { cpu_percent: 80, memory_percent: 85.5, memory_bytes: 3 * 1024 * MB, threads: 9 }),
  process(12, 'backup', {
    cpu_percent: 60,
    status: 'D',
    command: 'pg_dump --password=hunter2 --host db postgres://app:s3cret@db/main',
  }),
  process(13, 'ghost', { cpu_percent: null, memory_percent: null, status: 'Z', threads: null }),
];
/** The same pids as on the other machine: they are other processes. */
const DB: Process[] = Array.from({ length: 30 }, (_, index) =>
  process(10 + index, `worker-${index}`, {
    cpu_percent: 30 - index,
    memory_percent: index,
    memory_bytes: (index + 1) * MB,
  }),
);

describe('Processes', () => {
  let db = '';
  const stage = onStage(async ({ product }) => {
    const token = await enrolmentToken(product.origin, product.token);
    const machine = (hostname: string, processes: Process[]) =>
      enrol(product.origin, token, { hostname, sample: () => ({ cpu: 20, memory: 30, disk: 40, processes }) });
    await machine('web-01', WEB);
    db = (await machine('db-01', DB)).id;
  });

  it('ranks the twenty heaviest of all servers and shows no secret of a command', () =>
    stage.visit(paths.processes, async (page) => {
      const table = page.getByRole('table', { name: 'Processes' });
      await page.getByText('Top 20 of 34 by CPU across 2 servers').waitFor();
      const names = () => table.getByRole('rowheader').allInnerTexts();
      await expect.poll(async () => (await names()).slice(0, 4)).toEqual(['ffmpeg', 'postgres', 'backup', 'worker-0']);
      await expect.poll(names).toHaveLength(20);
      await lookAt(page, now + 20);
      const row = async (name: string) =>
        (await table.getByRole('row').filter({ hasText: name }).first().innerText()).replaceAll(/\s+/g, ' ');
      await expect
        .poll(() => row('ffmpeg'))
        .toMatch(
          /^10 ffmpeg \/usr\/bin\/ffmpeg web-01 media Running 6\.51 ?cores 81 ?% 12\.0 ?% 948 ?MB 1 \d\d:\d\d 2h 0m$/,
        );
      expect(await row('postgres')).toMatch(/85\.5 ?% 3 ?GB 9 /);
      expect(await row('backup')).toContain('Disk Sleep');
      expect(await page.locator('body').innerHTML()).not.toMatch(/hunter2|s3cret/);
      expect(await row('backup')).toContain('pg_dump');
      // Red above 80 % of the eight cores: one busy core is not.
      const red = await table.locator('[data-high]').allInnerTexts();
      expect(red.map((text) => text.replaceAll(/\s/g, ''))).toEqual(['6.51cores81%', '85.5%']);
      expect(await table.locator('th[aria-sort="descending"]').innerText()).toBe('CPU');
    }));

  it('ranks by memory in the address, and the pressed button keeps its choice', () =>
    stage.visit(paths.processes, async (page) => {
      const table = page.getByRole('table', { name: 'Processes' });
      await page.getByRole('group', { name: 'Rank by' }).getByRole('button', { name: 'Memory' }).click();
      await addressed(page, 'rank=memory');
      await table.locator('th[aria-sort="descending"]').getByText('Memory').waitFor();
      await expect.poll(async () => (await table.getByRole('rowheader').allInnerTexts())[0]).toBe('postgres');
      await page.getByRole('group', { name: 'Rank by' }).getByRole('button', { name: 'Memory' }).click();
      await addressed(page, 'rank=memory');
      await page.getByText(/^Top 20 of 34 by memory/).waitFor();
    }));

  it('narrows to a server and to words, shows N/A for what is not known, and says when nothing matches', () =>
    stage.visit(paths.processes, async (page) => {
      const table = page.getByRole('table', { name: 'Processes' });
      const names = () => table.getByRole('rowheader').allInnerTexts();
      await page.keyboard.press('/');
      await page.keyboard.type('ghost');
      await expect.poll(names).toEqual(['ghost']);
      const ghost = async () => (await table.getByRole('row').nth(1).innerText()).replaceAll(/\s+/g, ' ');
      await expect.poll(ghost).toMatch(/Zombie N\/A N\/A 10 ?MB N\/A /);
      // Words in any order, of name, command, user and host.
      await page.getByRole('searchbox').fill('DB-01 worker-7');
      await expect.poll(names).toEqual(['worker-7']);
      await page.getByRole('searchbox').fill('nothing like it');
      await page.getByText('No processes match your filter').waitFor();
      await page.getByRole('searchbox').fill('');
      await page.getByRole('combobox', { name: /Server/ }).selectOption({ label: 'db-01' });
      await addressed(page, `server=${db}`);
      await page.getByText('Top 20 of 30 by CPU on one server').waitFor();
      await expect.poll(names).toHaveLength(20);
      expect(await names()).not.toContain('ffmpeg');
    }));

  it('leaves a small screen what matters: name, server, pid, command and load, no scrolling sideways', () =>
    stage.visit(
      paths.processes,
      async (page) => {
        const heads = page.getByRole('columnheader').filter({ visible: true });
        await expect.poll(() => heads.allInnerTexts()).toEqual(['Name', 'CPU', 'Memory']);
        await page.getByText('web-01 · 10').waitFor();
        await page.getByRole('button', { name: 'backup' }).click();
        await page.getByRole('button', { name: 'Copy command' }).waitFor();
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      },
      { width: 390, theme: 'light' },
    ));
});
