import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

// The package of PostgreSQL leaves the links of its libraries to an install script, which nobody runs here.
const [folder] = process.argv.slice(2);
const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8'));
for (const { source, target } of links) {
  const link = join(folder, '..', target);
  if (!existsSync(link)) symlinkSync(basename(source), link);
}
