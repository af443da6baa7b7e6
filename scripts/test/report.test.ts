import { describe, expect, it } from 'vitest';
import { type VitestReport, readReport } from './report.ts';

const test = (fullName: string, failure?: string) => ({
  fullName,
  status: failure === undefined ? 'passed' : 'failed',
  failureMessages: failure === undefined ? [] : [failure],
});
const report = (...testResults: VitestReport['testResults'][number][]): VitestReport => ({
  numPassedTests: 3,
  numFailedTests: testResults.flatMap((file) => file.assertionResults).filter(({ status }) => status === 'failed')
    .length,
  numPendingTests: 1,
  numTodoTests: 1,
  testResults,
});
const green = { name: '/repo/a.test.ts', status: 'passed', message: '', assertionResults: [test('a works')] };

describe('the report of a lane', () => {
  it('counts a green lane and names nothing', () => {
    expect(readReport(report(green), 'unit', 0, '/repo')).toEqual({
      passed: 3,
      failed: 0,
      skipped: 2,
      failures: [],
      flaky: [],
    });
  });

  it('names each failed test by file, name and the first line of its message, without colours', () => {
    const red = {
      name: '/repo/api/b.test.ts',
      status: 'failed',
      message: '',
      assertionResults: [
        test('b works'),
        test('b stays', '\u001B[31mAssertionError\u001B[39m: expected 1 to be 2\n  at b'),
      ],
    };
    expect(readReport(report(green, red), 'unit', 1, '/repo')).toMatchObject({
      failed: 1,
      failures: ['api/b.test.ts > b stays: AssertionError: expected 1 to be 2'],
    });
  });

  it('names a test that passed when it was run again, and counts it as passed', () => {
    const again = { ...test('d works', 'TimeoutError: no row\n  at d'), status: 'passed' };
    expect(readReport(report({ ...green, assertionResults: [again] }), 'e2e', 0, '/repo')).toMatchObject({
      failed: 0,
      flaky: ['a.test.ts > d works: TimeoutError: no row'],
    });
  });

  it('names a file that could not be loaded', () => {
    const broken = { name: '/repo/c.test.ts', status: 'failed', message: 'SyntaxError: c\nat 1', assertionResults: [] };
    expect(readReport(report(broken), 'unit', 1, '/repo')).toMatchObject({
      failed: 1,
      failures: ['c.test.ts: SyntaxError: c'],
    });
  });

  it('counts an error outside of every test', () => {
    expect(readReport(report(green), 'e2e', 1, '/repo')).toMatchObject({
      failed: 1,
      failures: ['lane e2e: no test failed, but Vitest ended with 1; its error stands above'],
    });
  });

  it('counts a lane that a signal ended', () => {
    expect(readReport(report(green), 'e2e', null, '/repo').failed).toBe(1);
  });
});
