import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the section of a version without its heading. Throws with the remedy when there is none or it is empty. */
export function sectionOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
  const body = section?.slice(section.indexOf('\n')).trim();
  if (!body) throw new Error(`CHANGELOG.md: no section for ${version}. Rename "## Unreleased" to "## ${version}".`);
  return body;
}

export const releaseNotes = (version: string): string =>
  sectionOf(readFileSync(join(import.meta.dirname, '../../CHANGELOG.md'), 'utf8'), version);
