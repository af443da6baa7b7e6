import { afterEach, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { draw } from '../../../testing/draw.tsx';
import { SourcesTable } from './sources-table.tsx';

afterEach(() => page.viewport(1280, 800));

it('says in its folded line that lists were cut, and which', async () => {
  const note = '40 of 240 disks are left out: a report holds at most 200';
  const sources = {
    cpu: { ok: true, duration_ms: 1, error: null },
    'disk-io': { ok: true, duration_ms: 2, error: note },
  };
  await page.viewport(390, 800);
  const screen = await draw(<SourcesTable subject="san-01" sources={sources} agent={null} />);
  await expect.element(screen.getByText('all ok, 1 remark')).toBeVisible();
  await screen.getByText('Agent sources').click();
  await expect.element(screen.getByText(note)).toBeVisible();
});
