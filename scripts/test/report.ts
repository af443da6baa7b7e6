import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  /** One line for each failure; the run names them together at its end. */
  failures: readonly string[];
  /** One line for each test that failed first and passed when it was run again. */
  flaky: readonly string[];
}

/** The parts of the report of Vitest's reporter `json` that are read here. */
export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: readonly {
    name: string;
    status: string;
    message: string;
    assertionResults: readonly { fullName: string; status: string; failureMessages: readonly string[] | null }[];
  }[];
}

const LONGEST_MESSAGE = 300;

const firstLine = (message = ''): string =>
  stripVTControlCharacters(message).trim().split('\n', 1)[0]?.slice(0, LONGEST_MESSAGE) ?? '';

type TestResult = VitestReport['testResults'][number]['assertionResults'][number];

/**
 * Counts a lane and names its failures. An error outside of every test (exit code 1, nothing failed) counts as one.
 * @param code exit code of Vitest; null after a signal
 */
export function readReport(report: VitestReport, lane: string, code: number | null, root: string): Totals {
  const inFile = (name: string, tests: readonly TestResult[]) =>
    tests.map((test) => `${relative(root, name)} > ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
  const flaky = report.testResults.flatMap(({ name, assertionResults }) =>
    inFile(
      name,
      assertionResults.filter((test) => test.status === 'passed' && (test.failureMessages?.length ?? 0) > 0),
    ),
  );
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = inFile(
      name,
      assertionResults.filter((test) => test.status === 'failed'),
    );
    return tests.length === 0 && status === 'failed' ? [`${file}: ${firstLine(message)}`] : tests;
  });
  if (failures.length === 0 && code !== 0) {
    failures.push(`lane ${lane}: no test failed, but Vitest ended with ${String(code)}; its error stands above`);
  }
  return {
    passed: report.numPassedTests,
    failed: Math.max(report.numFailedTests, failures.length),
    skipped: report.numPendingTests + report.numTodoTests,
    failures,
    flaky,
  };
}
