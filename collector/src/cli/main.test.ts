import { describe, expect, it } from 'vitest';
import { installed, plimsoll } from '../testing/command.ts';

const WORDS = [
  'run',
  'node',
  'once',
  'enrol',
  'status',
  'check',
  'config',
  'update',
  'uninstall',
  'change-owner',
  'support-bundle',
  'version',
];
/** Commands that read the settings first. */
const READERS = WORDS.filter((word) => !['update', 'uninstall', 'version'].includes(word));

describe('the command line', () => {
  it.each(['--help', '-h', 'help'])('%s lists every command with what it does, and the exit statuses', async (word) => {
    const { status, out, err } = await plimsoll([word]);
    expect([status, err]).toEqual([0, '']);
    const listed = [...out.matchAll(/^ {2}(\S+) +\S.*$/gm)].map(([, name]) => name);
    expect(listed).toEqual(WORDS);
    expect(out).toContain('0 done, 1 failed, 64 wrong use or setting, 78 enrolment refused or server deleted');
  });

  it('without a word says what there is, and that it was wrong use', async () => {
    const { status, out } = await plimsoll([]);
    expect(status).toBe(64);
    expect(out).toContain('Usage: plimsoll COMMAND');
  });

  it.each(WORDS)('%s --help names the command and does nothing', async (word) => {
    const { config } = installed({ url: 'broken' });
    for (const help of ['--help', '-h']) {
      const { status, out, err } = await plimsoll([word, help, ...config]);
      expect([status, err]).toEqual([0, '']);
      expect(out).toMatch(new RegExp(`^plimsoll ${word}\\b`));
      expect(out.split('\n').every((line) => line.length <= 120)).toBe(true);
    }
  });

  it.each(WORDS.filter((word) => word !== 'version'))('%s --help tells the exit statuses', async (word) => {
    expect((await plimsoll([word, '--help'])).out).toMatch(/^Exit status: 0 /m);
  });

  it.each([
    ['statsu', ' Did you mean "status"?'],
    ['uninstal', ' Did you mean "uninstall"?'],
    ['enroll', ' Did you mean "enrol"?'],
    ['frobnicate', ''],
    ['__proto__', ''],
    ['constructor', ''],
  ])('"%s" is no command', async (word, near) => {
    const { status, out, err } = await plimsoll([word]);
    expect([status, out]).toEqual([64, '']);
    expect(err).toBe(`Unknown command "${word}".${near} See plimsoll --help\n`);
  });

  it.each(WORDS)('%s takes no option and no word it does not know', async (word) => {
    for (const [wrong, said] of [
      ['--no-such-option', "Unknown option '--no-such-option'"],
      ['surplus', "Unexpected argument 'surplus'"],
    ] as const) {
      const { status, err } = await plimsoll([word, wrong]);
      expect(status).toBe(64);
      expect(err).toContain(`plimsoll ${word}: ${said}`);
    }
  });

  it.each([
    [['check', '--config']],
    [['enrol', '--token']],
    [['status', '--json=yes']],
    [['change-owner', '--token-file']],
  ])('%j is half an option', async (argv) => {
    const { status, err } = await plimsoll(argv);
    expect([status, err]).toEqual([64, expect.stringMatching(new RegExp(`^plimsoll ${argv[0]}: Option '`))]);
  });

  it.each(READERS)('%s names a setting that cannot be used, its file and line', async (word) => {
    const { config } = installed({ intervall: '5' });
    const { status, err } = await plimsoll([word, ...config]);
    expect(status).toBe(64);
    expect(err).toBe(`plimsoll ${word}: ${config[1]} line 3: unknown key "intervall". Did you mean "interval"?\n`);
  });

  it.each(['--version', '-V', 'version'])('%s tells the version', async (word) => {
    expect(await plimsoll([word])).toEqual({
      status: 0,
      out: expect.stringMatching(/^plimsoll \d+\.\d+\.\d+/),
      err: '',
    });
  });
});
