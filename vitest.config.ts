import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { ALIASES } from './web/aliases.ts';
import { CHROMIUM_ARGUMENTS, chromiumPath } from './web/src/testing/chromium-path.ts';

// Tests expect hours and days as they are in UTC, wherever they run; those about time zones name theirs.
process.env['TZ'] = 'UTC';

/** Files `npm test` named as skipped because a tool is missing here. */
const blocked = process.env['PLIMSOLL_TESTS_BLOCKED']?.split(',').filter(Boolean) ?? [];
const never = ['**/node_modules/**', '**/dist/**', ...blocked];

const test = (name: string, include: string[], extra: Record<string, unknown> = {}) => ({
  resolve: { alias: ALIASES },
  test: {
    name,
    include,
    exclude: never,
    // Ends what hangs; whole programs are started in here, on machines that have other work too.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // One for each core. Vitest's own default leaves one core idle, which is half of a machine with two.
    maxWorkers: '100%',
    ...extra,
  },
});

/**
 * Tests beside a browser, a database or a whole product run once more in CI when they fail: one of thousands that waited
 * too long on a busy machine is no reason to refuse a change. `npm test` names each that needed it.
 */
const again = process.env['CI'] === 'true' ? { retry: 1 } : {};

const chromium = chromiumPath();
const launchOptions = {
  args: [...CHROMIUM_ARGUMENTS],
  ...(chromium === undefined ? {} : { executablePath: chromium }),
};

/** Makes the folder for database clusters; none starts before a test needs it. */
const postgres = {
  globalSetup: './api/src/testing/postgres-setup.ts',
  provide: { isCi: process.env['CI'] === 'true' },
};

/** Property tests of CI draw the inputs that belong to the commit (scripts/test/property-seed.ts). */
const seeded = { setupFiles: ['./scripts/test/property-seed-setup.ts'] };

const databases = { ...postgres, ...seeded, ...again, testTimeout: 120_000, hookTimeout: 120_000 };

const notUnit = (...more: string[]): string[] => [
  ...never,
  ...['pg', 'e2e', 'cluster', 'publish', 'senders'].map((lane) => `**/*.${lane}.test.ts`),
  ...more,
];

const journeys = {
  ...again,
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // A page shows in its own time; the second Vitest would give it is too little beside another job.
  expect: { poll: { timeout: 15_000 } },
};

/** One test file after the other in the same worker: most of a small file's time is a worker's start and its imports. */
const shared = { isolate: false };
/**
 * A file that replaces a module (`vi.mock`) has a worker of its own: it would not get a module that is loaded already. So
 * have those of the collector, which sets the proxy of its whole process.
 */
const MOCKS = '**/*.mock.*';

/**
 * Lanes. `*.test.ts` is logic and the HTTP surface; `*.pg.test.ts` runs on real PostgreSQL servers (the embedded one
 * and one of Debian's); `*.browser.test.tsx` draws one component in Chromium, without the product; `*.e2e.test.ts` starts the product as a user does and drives Chromium. `*.cluster.test.ts`
 * talks to the cluster of `npm run test:cluster`, which also runs `*.publish.test.ts`: what a release pushes, on a local
 * registry. `*.senders.test.ts` starts real senders of other projects; only `npm test -- --lane senders` runs it.
 */
export default defineConfig({
  test: {
    projects: [
      test('unit', ['{api,web,scripts}/**/*.test.ts'], {
        ...postgres,
        ...seeded,
        ...shared,
        exclude: notUnit(MOCKS),
      }),
      test('unit-isolated', ['collector/**/*.test.ts', '{api,web,scripts}/**/*.mock.test.ts'], {
        ...postgres,
        ...seeded,
        exclude: notUnit(),
      }),
      test('postgres', ['{api,collector,scripts}/**/*.pg.test.ts'], {
        ...databases,
        ...shared,
        exclude: [...never, MOCKS],
      }),
      test('postgres-mock', ['{api,collector,scripts}/**/*.mock.pg.test.ts'], databases),
      {
        // Found before the first test: a package met later would reload the page under a running test.
        optimizeDeps: { entries: ['web/src/main.tsx', 'web/src/**/*.browser.test.tsx'], include: ['react-dom'] },
        ...test('component', ['web/**/*.browser.test.tsx'], {
          ...again,
          testTimeout: 30_000,
          expect: { poll: { timeout: 10_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            viewport: { width: 1280, height: 800 },
            provider: playwright({ launchOptions }),
            instances: [{ browser: 'chromium' as const }],
          },
        }),
      },
      // Two at a time: each product has its own port and data folder, and waits for its browser half of the time.
      test('e2e', ['{api,collector,web}/**/*.e2e.test.ts'], {
        ...journeys,
        maxWorkers: 2,
        sequence: { groupOrder: 1 },
      }),
      // One at a time: these measure a processor, kill processes or boot a machine with an address of its own.
      test('e2e-alone', ['scripts/**/*.e2e.test.ts'], {
        ...journeys,
        fileParallelism: false,
        sequence: { groupOrder: 2 },
      }),
      test('cluster', ['scripts/cluster/**/*.cluster.test.ts'], {
        ...again,
        testTimeout: 180_000,
        hookTimeout: 240_000,
        fileParallelism: false,
        sequence: { groupOrder: 3 },
      }),
      test('senders', ['scripts/lab/senders/*.senders.test.ts'], { ...databases, sequence: { groupOrder: 5 } }),
      test('publish', ['scripts/{release,lab}/**/*.publish.test.ts'], { sequence: { groupOrder: 4 } }),
    ],
  },
});
