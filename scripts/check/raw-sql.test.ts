import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findUnexplainedSql, lacksReason } from './raw-sql.ts';

const ADAPTER = 'api/src/accounts/postgres/sessions.ts';
const FIND = "const FIND = 'SELECT 1 FROM session';\n";

test.each([
  ['a statement', ADAPTER, FIND],
  ['a call', 'api/src/database/clock.ts', 'await pool.query(text);\n'],
  ['a typed call', 'api/src/database/clock.ts', 'await pool.query<Row>(text);\n'],
  ['raw SQL through Prisma', ADAPTER, 'await prisma.$executeRaw`SELECT 1`;\n'],
  ['a reason below the first line', ADAPTER, `import x from 'y';\n// SQL locks the row, which Prisma cannot.\n${FIND}`],
  ['no reason', ADAPTER, `// SQL.\n${FIND}`],
  ['another comment', ADAPTER, `// Sessions of the people of an organisation.\n${FIND}`],
])('refuses %s', (_, file, text) => {
  expect(lacksReason(file, text)).toBe(true);
});

test.each([
  ['a reason', ADAPTER, `// SQL locks the row, which Prisma cannot.\n${FIND}`],
  ['models', ADAPTER, 'await prisma.session.findMany({ where });\n'],
  ['words that begin like a statement', 'api/src/ai/ask.ts', "say('SELECT a server');\n"],
])('accepts %s', (_, file, text) => {
  expect(lacksReason(file, text)).toBe(false);
});

test('every file of the API with SQL says why', () => {
  expect(findUnexplainedSql(join(import.meta.dirname, '../..'))).toEqual([]);
});
