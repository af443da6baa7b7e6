import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ValueRow {
  path: string;
  fallback: string;
  meaning: string;
}

/** Every value of a values.yaml that a `# --` comment describes, with its default as written. */
export function readValues(yaml: string): ValueRow[] {
  const rows: ValueRow[] = [];
  const path: { indent: number; key: string }[] = [];
  let meaning: string | null = null;
  for (const line of yaml.split('\n')) {
    const comment = /^\s*# -- (.+)$/.exec(line)?.[1];
    if (comment !== undefined) meaning = comment;
    const entry = /^(\s*)([A-Za-z]\w*):(.*)$/.exec(line);
    if (!entry) continue;
    const [, space = '', key = '', rest = ''] = entry;
    while ((path.at(-1)?.indent ?? -1) >= space.length) path.pop();
    path.push({ indent: space.length, key });
    if (meaning === null) continue;
    rows.push({ path: path.map((part) => part.key).join('.'), fallback: rest.trim() || 'see values.yaml', meaning });
    meaning = null;
  }
  return rows;
}

const cell = (text: string) => text.replaceAll('|', String.raw`\|`);

/** README.md of the chart: its introduction, then a table of every value. */
export function chartReadme(chart: string): string {
  const introduction = readFileSync(join(chart, 'README.md.in'), 'utf8').trimEnd();
  const rows = readValues(readFileSync(join(chart, 'values.yaml'), 'utf8')).map(
    ({ path, fallback, meaning }) => `| \`${path}\` | \`${cell(fallback)}\` | ${cell(meaning)} |`,
  );
  return `${introduction}\n\n## Values\n\n| value | default | meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
}
