import type { ParseArgsOptionsConfig } from 'node:util';
import { loadFromProcess } from '../config.ts';
import { suggest } from '../suggest-command.ts';
import { SettingError } from '../settings.ts';
import type { Command, Terminal } from './command.ts';
import { changeOwnerCommand } from './change-owner.ts';
import { checkCommand } from './check.ts';
import { configCommand } from './config.ts';
import { enrolCommand } from './enrol.ts';
import { EXIT } from './exit.ts';
import { nodeCommand } from './node.ts';
import { onceCommand } from './once.ts';
import { runCommand } from './run.ts';
import { statusCommand } from './status.ts';
import { supportBundleCommand } from './support-bundle.ts';
import { uninstallCommand } from './uninstall.ts';
import { updateCommand } from './update.ts';
import { versionCommand } from './version.ts';

const COMMANDS: Readonly<Record<string, Command>> = {
  run: runCommand,
  node: nodeCommand,
  once: onceCommand,
  enrol: enrolCommand,
  status: statusCommand,
  check: checkCommand,
  config: configCommand,
  update: updateCommand,
  uninstall: uninstallCommand,
  'change-owner': changeOwnerCommand,
  'support-bundle': supportBundleCommand,
  version: versionCommand,
};

/** Runs one command word and gives its exit status; never throws for what a user can get wrong. */
export async function runCommandLine(
  argv: readonly string[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const [word, ...rest] = argv;
  if (word === undefined || word === 'help' || word === '--help' || word === '-h') {
    terminal.out(overview());
    return word === undefined ? EXIT.usage : EXIT.ok;
  }
  const name = word === '--version' || word === '-V' ? 'version' : word;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const near = suggest(word, Object.keys(COMMANDS));
    terminal.err(`Unknown command "${word}".${near === null ? '' : ` Did you mean "${near}"?`} See plimsoll --help\n`);
    return EXIT.usage;
  }
  try {
    return await runOne(command, rest, terminal, signal);
  } catch (error) {
    if (error instanceof SettingError || isUsageError(error)) {
      terminal.err(`plimsoll ${name}: ${error instanceof Error ? error.message : ''}\n`);
      return EXIT.usage;
    }
    terminal.err(`plimsoll ${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    return EXIT.failed;
  }
}

async function runOne(command: Command, argv: string[], terminal: Terminal, signal: AbortSignal): Promise<number> {
  const values: Record<string, string | boolean | undefined> = argv.length === 0 ? {} : await parse(argv, command);
  if (values['help'] === true) {
    terminal.out(`${command.help}\n`);
    return EXIT.ok;
  }
  const file = typeof values['config'] === 'string' ? values['config'] : null;
  return command.run({ options: values, terminal, settings: () => loadFromProcess(file), signal });
}

/** Its module costs the program 0.4 MB for as long as it runs, and the unit starts it without any option. */
async function parse(argv: string[], command: Command): Promise<Record<string, string | boolean | undefined>> {
  const { parseArgs } = await import('node:util');
  const options: ParseArgsOptionsConfig = { config: { type: 'string' }, help: { type: 'boolean', short: 'h' } };
  for (const [name, valued] of Object.entries(command.options)) options[name] = { type: valued ? 'string' : 'boolean' };
  const { values } = parseArgs({ args: argv, options, strict: true, allowPositionals: false });
  return values as Record<string, string | boolean | undefined>;
}

function isUsageError(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
}

function overview(): string {
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(16)}${summary}`);
  return `plimsoll: reports this host's figures to a Plimsoll dashboard

Usage: plimsoll COMMAND [--config FILE] [--help]

${lines.join('\n')}

Settings come from /etc/plimsoll/agent.conf (key = value) and PLIMSOLL_* variables, the variables winning.
Exit status: 0 done, 1 failed, 64 wrong use or setting, 78 enrolment refused or server deleted.
`;
}
