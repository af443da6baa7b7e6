import { address } from './address.ts';
import { assistant } from './assistant.ts';
import { backup } from './backup.ts';
import { checks } from './checks.ts';
import { collectors } from './collectors.ts';
import { notifications } from './notifications.ts';
import { timeSeriesStore } from './series-store.ts';
import { code, inRepository, type Setting, setting, type SettingGroup, type SettingRow } from './setting.ts';
import { signIn } from './sign-in.ts';
import { planLimits, storage } from './storage.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
const LOG_FORMATS = ['json', 'pretty', 'auto'] as const;
const LOG = { level: 'info', format: 'auto' } as const;

/** `auto` depends on the terminal, which config.ts reads. */
const log: Setting<{ level: (typeof LOG_LEVELS)[number]; format: (typeof LOG_FORMATS)[number] }> = {
  rows: [
    {
      names: ['PLIMSOLL_LOG_LEVEL'],
      isShown: true,
      fallback: code(LOG.level),
      meaning: '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`',
    },
    {
      names: ['PLIMSOLL_LOG_FORMAT'],
      isShown: true,
      fallback: code(LOG.format),
      meaning: '`json`, `pretty`, or `auto`: pretty on a terminal, else JSON',
    },
  ],
  read: (environment) => ({
    level: environment.choice('PLIMSOLL_LOG_LEVEL', LOG_LEVELS, LOG.level),
    format: environment.choice('PLIMSOLL_LOG_FORMAT', LOG_FORMATS, LOG.format),
  }),
};

/** Returns the setting of a file or folder that a build makes in this checkout. */
const built = (name: string, path: string, meaning: string): Setting<string> =>
  setting(name, { fallback: code(path), meaning }, (environment) => environment.text(name) ?? inRepository(path));

const build = {
  title: 'Parts of a build',
  settings: {
    /** An API without the built dashboard answers calls only. */
    webDir: built('PLIMSOLL_WEB_DIR', 'web/dist', 'the built dashboard'),
    /** Kits of the collector, one folder per version, as `npm run build:agent` makes them. */
    agentDir: built('PLIMSOLL_AGENT_DIR', 'dist/agent', 'install kits of the collector'),
    /** Absent: the call for the chart answers 404 with the remedy. */
    chartFile: built('PLIMSOLL_CHART_FILE', 'dist/charts/plimsoll.tgz', 'the packaged chart'),
    /** Every page says that its data is invented. */
    isDemo: setting(
      'PLIMSOLL_DEMO',
      {
        isShown: true,
        fallback: code('off'),
        meaning: '`on`: every page says "Demo data"; `npm start -- --demo` sets it',
      },
      (environment, name) => environment.choice(name, ['off', 'on'], 'off') === 'on',
    ),
  },
};

const GROUPS = [
  address,
  { title: 'Data', settings: { ...storage, ...backup, planLimits } },
  timeSeriesStore,
  signIn,
  notifications,
  checks,
  assistant,
  collectors,
  { title: 'Logs', settings: { log } },
  build,
] as const satisfies readonly SettingGroup[];

/** Every setting of the API by the field of `Config` that it makes. */
export const SETTINGS = {
  ...address.settings,
  ...storage,
  ...backup,
  planLimits,
  ...timeSeriesStore.settings,
  ...signIn.settings,
  ...notifications.settings,
  ...checks.settings,
  ...assistant.settings,
  ...collectors.settings,
  log,
  ...build.settings,
};

interface RowGroup {
  title: string;
  rows: SettingRow[];
}

/** The documentation of every setting, by group. */
export const SETTING_GROUPS: readonly RowGroup[] = GROUPS.map(({ title, settings }) => ({
  title,
  rows: Object.values<Setting<unknown>>(settings).flatMap(({ rows }) => rows),
}));

const lineOf = ({ names, fallback, meaning, isSecret }: SettingRow): string =>
  `| ${names.map(code).join(', ')}${isSecret ? ' *' : ''} | ${fallback} | ${meaning} |`;

/** The text of docs/configuration.md. */
export const settingsReference = (): string =>
  [
    '# Configuration\n',
    'All settings of the API are environment variables. It reads them once, at start, and refuses to start with one line',
    'for each mistake: the variable, what is wrong, what to do. An empty value counts as not set.\n',
    'A setting with * is a secret: each of its names also exists with `_FILE` behind it, the path of a file that holds the',
    'value, as containers mount secrets. Set one of the two.\n',
    'Collectors get their settings from the command of Setup ([install.md](install.md), [collector.md](collector.md)); a',
    'cluster from the values of the chart ([its README](../charts/plimsoll/README.md)).',
    ...SETTING_GROUPS.map(
      ({ title, rows }) =>
        `\n## ${title}\n\n| variable | without it | meaning |\n|---|---|---|\n${rows.map(lineOf).join('\n')}`,
    ),
    '',
  ].join('\n');
