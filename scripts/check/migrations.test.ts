import { describe, expect, test } from 'vitest';
import { ROOT } from '../lib/stamp.ts';
import { checkMigrations, hashOfNames, misplacedMigrations } from './migrations.ts';

const OLD = ['20260101000000_first', '20270105000000_last'];
const closed = { newest: '20270105000000_last', names: hashOfNames(OLD) };
const problems = (added: readonly string[], byAge: readonly string[] = added): string[] =>
  misplacedMigrations([...OLD, ...added].toSorted(), [...OLD, ...byAge], closed);

describe('the order of migrations', () => {
  test('this checkout is in order', () => {
    expect(checkMigrations(ROOT)).toEqual([]);
  });

  test.each([
    [[], []],
    [['20270106000000_a'], []],
    [['20270106000000_a', '20270106000100_b'], []],
    [['20261128000000_today'], [expect.stringContaining('are fixed')]],
    [['2027_a'], [expect.stringContaining('fourteen digits')]],
    [
      ['20270107000000_a', '20270106000000_b'],
      ['prisma/migrations/20270106000000_b: must sort after 20270107000000_a, which is older.'],
    ],
  ])('%j is refused with %j', (added, wanted) => {
    expect(problems(added)).toEqual(wanted);
  });

  test('a renamed or deleted migration of the closed set is refused', () => {
    expect(misplacedMigrations(OLD.slice(1), OLD, closed)).toHaveLength(1);
  });

  test('outside a git checkout only the closed set is compared', () => {
    expect(problems(['20270107000000_a', '20270106000000_b'], [])).toEqual([]);
  });
});
