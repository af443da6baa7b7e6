import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

const isSkipped = /\.test\.ts$|\/(testing|generated)\//;
/** The wiring answers /readyz with a statement of its own. */
const WIRING = 'api/src/postgres-storage.ts';

/** A statement at the start of a text, or a call that runs one. */
const STATEMENT = /['`]\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH|COPY|LOCK|CREATE|ALTER|SET LOCAL)\s/;
const CALL = /\.query[(<]|\$(?:query|execute)Raw/;
/** At least three words after the first, so that "SQL." is no reason. */
const REASON = /^\/\/ (?=.*\b(?:SQL|COPY|PostgreSQL)\b)\S+(?: \S+){3,}/;

/** Returns true if the file runs SQL and its first line does not say why Prisma does not. */
export const lacksReason = (file: string, text: string): boolean => {
  const isAdapter = /^api\/src\/[a-z-]+\/postgres[./]/.test(file);
  const runsSql = CALL.test(text) || (isAdapter && STATEMENT.test(text));
  return runsSql && !REASON.test(text);
};

/** Returns the files of the API with SQL whose first line does not say why. */
export const findUnexplainedSql = (root: string): string[] =>
  globSync('api/src/**/*.ts', { cwd: root })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => !isSkipped.test(file) && file !== WIRING)
    .filter((file) => lacksReason(file, readFileSync(join(root, file), 'utf8')))
    .map((file) => `${file}: its first line does not say why it runs SQL. Use Prisma, or write "// SQL …, because …"`);
