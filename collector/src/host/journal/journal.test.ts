import { describe, expect, it } from 'vitest';
import { fakeFiles } from '../../testing/captured.ts';
import { activitySource } from '../activity.ts';
import { hardwareSources } from '../hardware/sources.ts';
import { parseJournal } from './journal-entries.ts';
import { journalSource, linesOfReading, mayReadJournal } from './journal.ts';

const START = Date.UTC(2026, 10, 20, 3) / 1000;
const MINUTE = 60;
const files = fakeFiles({
  'var/log/journal/abc/system.journal': 'x',
  'proc/self/environ': 'A=b\0PLIMSOLL_JOURNAL=true\0',
});

/** One entry as journalctl 252 prints it. */
const printed = (at: number, message: unknown, more: Record<string, unknown> = {}): string =>
  JSON.stringify({
    __CURSOR: 's=1;i=2;b=3;m=4;t=5;x=6',
    __REALTIME_TIMESTAMP: String(Math.round(at * 1_000_000)),
    __MONOTONIC_TIMESTAMP: '9000000000',
    _BOOT_ID: '4c0a3c9a6d2f4ad8a5d3b0a6f8c2e6f1',
    PRIORITY: '3',
    _TRANSPORT: 'stdout',
    _SYSTEMD_UNIT: 'web.service',
    SYSLOG_IDENTIFIER: 'node',
    MESSAGE: message,
    ...more,
  });

/** A journal that prints the entries of the asked time, newest first. */
function journal(entries: [at: number, line: string][]) {
  const calls: string[][] = [];
  return {
    calls,
    exec: async (file: string, argv: readonly string[]): Promise<string> => {
      calls.push([file, ...argv]);
      const value = (name: string): number => Number(argv.find((one) => one.startsWith(name))?.slice(name.length));
      const kernelOnly = !argv.includes('+');
      return entries
        .filter(([at]) => at >= value('--since=@') && at <= value('--until=@'))
        .filter(([, line]) => !kernelOnly || line.includes('"_TRANSPORT":"kernel"'))
        .toSorted(([a], [b]) => a - b)
        .toReversed()
        .slice(0, value('--lines='))
        .map(([, line]) => line)
        .join('\n');
    },
  };
}
const error = (at: number, text: string): [number, string] => [at, printed(at, text)];

describe('journal', () => {
  it('reads each minute once, when it is over', async () => {
    const { exec, calls } = journal([
      error(START + 10, 'first'),
      error(START + 59.9, 'late'),
      error(START + 60, 'next'),
    ]);
    const source = journalSource(files, exec);
    const texts = async (ts: number): Promise<string[]> => {
      await source.read({ ts, up: 1 });
      return linesOfReading(files).map(({ message }) => message);
    };
    expect(await texts(START + 70)).toEqual(['first', 'late']);
    expect(await texts(START + 100)).toEqual([]);
    expect(calls).toHaveLength(1);
    expect(await texts(START + 130)).toEqual(['next']);
    expect(calls[1]).toEqual(
      expect.arrayContaining([`--since=@${String(START + 60)}`, `--until=@${String(START + 120)}`]),
    );
  });

  it('shows the earlier of two equal lines of one millisecond', async () => {
    const { exec } = journal([error(START + 10, 'order 41 lost'), error(START + 10, 'order 42 lost')]);
    await journalSource(files, exec).read({ ts: START + 70, up: 1 });
    expect(linesOfReading(files).map(({ message }) => message)).toEqual(['2 × order 41 lost']);
  });

  it('begins five minutes back, and a restarted collector makes the same events again', async () => {
    const { exec, calls } = journal([error(START - 299, 'before the crash'), error(START - 301, 'too long ago')]);
    const read = async (ts: number) => {
      await journalSource(files, exec).read({ ts, up: 1 });
      return linesOfReading(files);
    };
    const first = await read(START + 30);
    expect(first.map(({ message }) => message)).toEqual(['before the crash']);
    expect(await read(START + 40)).toEqual(first);
    expect(calls.every((call) => call.includes(`--since=@${String(START - 5 * MINUTE)}`))).toBe(true);
  });

  it('reads again what a failed reading missed, and what a clock that was set back made again', async () => {
    const { exec } = journal([error(START + 10, 'first'), error(START + 70, 'second')]);
    let fails = false;
    const source = journalSource(files, async (file, argv) => {
      if (fails) throw new Error('journalctl: no answer');
      return exec(file, argv);
    });
    await source.read({ ts: START + 5, up: 1 });
    fails = true;
    await expect(source.read({ ts: START + 65, up: 1 })).rejects.toThrow('no answer');
    expect(linesOfReading(files)).toEqual([]);
    fails = false;
    await source.read({ ts: START + 125, up: 1 });
    expect(linesOfReading(files).map(({ message }) => message)).toEqual(['first', 'second']);
    await source.read({ ts: START + 65, up: 1 });
    expect(linesOfReading(files).map(({ message }) => message)).toEqual(['first']);
  });

  it('reads no more than five minutes after a pause of the host', async () => {
    const { exec, calls } = journal([error(START + 600, 'asleep'), error(START + 3590, 'awake')]);
    const source = journalSource(files, exec);
    await source.read({ ts: START + 5, up: 1 });
    await source.read({ ts: START + 3610, up: 1 });
    expect(linesOfReading(files).map(({ message }) => message)).toEqual(['awake']);
    expect(calls[1]).toContain(`--since=@${String(START + 3300)}`);
  });

  it('finds the event of the kernel in a flood of errors', async () => {
    const flood = Array.from({ length: 400 }, (_, index) =>
      error(START + 20 + index / 100, `request ${String(index)} failed`),
    );
    const kill = printed(START + 5, 'Out of memory: Killed process 7 (mysqld) total-vm:1kB, anon-rss:1kB', {
      _TRANSPORT: 'kernel',
      PRIORITY: '3',
      _SYSTEMD_UNIT: undefined,
    });
    const { exec, calls } = journal([...flood, [START + 5, kill]]);
    const { note } = await journalSource(files, exec).read({ ts: START + 70, up: 1 });
    expect(linesOfReading(files).map(({ message }) => message)).toEqual([
      expect.stringContaining('(mysqld)'),
      expect.stringMatching(/^300 × request \d+ failed$/),
    ]);
    expect(note).toBe('only the newest 300 entries are counted');
    expect(calls).toHaveLength(2);
  });

  it('fails where no journal can be opened', async () => {
    const { exec } = journal([]);
    await expect(journalSource(fakeFiles({}), exec).read({ ts: START, up: 1 })).rejects.toThrow(
      'no journal can be read',
    );
  });

  it('runs no child unless root opened the journal', async () => {
    expect(mayReadJournal(files)).toBe(true);
    for (const environment of ['', 'PLIMSOLL_JOURNAL=false\0', 'XPLIMSOLL_JOURNAL=true\0', 'A=PLIMSOLL_JOURNAL=true\0'])
      expect(mayReadJournal(fakeFiles({ 'proc/self/environ': environment }))).toBe(false);
    const names = (has: typeof files) =>
      hardwareSources(
        has,
        async () => '',
        {},
        false,
        () => [],
      ).map(({ name }) => name);
    expect(names(files)).toContain('journal');
    expect(names(fakeFiles({}))).not.toContain('journal');
  });

  it('hands its lines to the list of events', async () => {
    const { exec } = journal([error(START + 10, 'first')]);
    await journalSource(files, exec).read({ ts: START + 70, up: 1 });
    const activity = activitySource({
      files,
      processes: () => [],
      units: () => null,
      watchedProcesses: [],
      watchedFiles: [],
      version: '1',
      countsKills: false,
    });
    const { part } = await activity.read({ ts: START + 70, up: 1 });
    expect(part.events?.map(({ event_type: type, message }) => [type, message])).toEqual([['journal_error', 'first']]);
  });
});

describe('what journalctl prints', () => {
  const only = (line: string) => parseJournal(line)[0];
  it('reads unit, time, priority and text', () => {
    expect(only(printed(START, 'boom'))).toEqual({
      at: START * 1000,
      up: 9000,
      priority: 3,
      isKernel: false,
      unit: 'web.service',
      text: 'boom',
    });
  });

  it.each([
    ['bytes', [98, 111, 111, 109, 255], 'boom\uFFFD'],
    ['nothing, for a line of 1 MB', null, '(a line above 4,096 bytes)'],
    ['two fields', ['one', 'two'], 'one'],
    ['a terminal', '\u001B[31mred\u001B[0m \u001B]0;title\u0007and \u001B]8;;http://x\u001B\\link', 'red and link'],
    ['NUL and lines', 'a\u0000b\nc\td', 'a b c d'],
    ['half an emoji', 'x \uD83D', 'x \uFFFD'],
  ])('reads %s', (_what, message, text) => {
    expect(only(printed(START, message))?.text).toBe(text);
  });

  it.each([
    [{ UNIT: 'db.service', _SYSTEMD_UNIT: 'init.scope' }, 'db.service'],
    [{ _SYSTEMD_UNIT: 'session-3.scope' }, 'node'],
    [{ _TRANSPORT: 'kernel', _SYSTEMD_UNIT: undefined }, 'kernel'],
    [{ _SYSTEMD_UNIT: undefined, SYSLOG_IDENTIFIER: undefined }, null],
  ])('names the source of %o', (fields, unit) => {
    expect(only(printed(START, 'x', fields))?.unit).toBe(unit);
  });
});
