import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KEYS } from '../settings.ts';
import { installed, plimsoll } from '../testing/command.ts';
import { temporaryFolder } from '../testing/folder.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});
/** "key = value # origin" → [value, origin]. */
function lineOf(out: string, key: string): [string, string] {
  const [, value = '', origin = ''] = new RegExp(`^${key} = (.*?) *# (.*)$`, 'm').exec(out) ?? [];
  return [value, origin];
}

describe('plimsoll config', () => {
  it('prints every setting once, with where it comes from', async () => {
    const { state, config } = installed({ url: 'https://plimsoll.example/', tags: 'a=1,b=2', interval: '15' });
    const { status, out, err } = await plimsoll(['config', ...config]);
    expect([status, err]).toEqual([0, '']);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ', 1)[0]),
    ).toEqual(KEYS);
    const [, file] = config;
    expect(lineOf(out, 'url')).toEqual(['https://plimsoll.example', file]);
    expect(lineOf(out, 'state_dir')).toEqual([state, file]);
    expect(lineOf(out, 'tags')).toEqual(['a=1, b=2', file]);
    expect(lineOf(out, 'interval')).toEqual(['15', file]);
    expect(lineOf(out, 'log_level')).toEqual(['info', 'default']);
    expect(lineOf(out, 'region')).toEqual(['', 'default']);
    expect(lineOf(out, 'watched_files')[0]).toContain('/etc/passwd, /etc/group');
  });

  it('a variable wins over the file, and an empty one does not', async () => {
    const { config } = installed({ interval: '15', log_level: 'warn' });
    vi.stubEnv('PLIMSOLL_INTERVAL', '30');
    vi.stubEnv('PLIMSOLL_LOG_LEVEL', '');
    const { out } = await plimsoll(['config', ...config]);
    expect(lineOf(out, 'interval')).toEqual(['30', 'PLIMSOLL_INTERVAL']);
    expect(lineOf(out, 'log_level')[0]).toBe('warn');
  });

  it('reads the file that PLIMSOLL_CONFIG names, and --config before it', async () => {
    const [one, other] = [installed({ interval: '7' }), installed({ interval: '8' })];
    vi.stubEnv('PLIMSOLL_CONFIG', one.config[1]);
    expect(lineOf((await plimsoll(['config'])).out, 'interval')[0]).toBe('7');
    expect(lineOf((await plimsoll(['config', ...other.config])).out, 'interval')[0]).toBe('8');
  });

  it('of a secret says only that it is set, wherever it is from', async () => {
    const file = join(temporaryFolder(), 'secret');
    writeFileSync(file, 'http://me:hunter2@proxy:3128\n');
    const { config } = installed({ enrolment_token: 'hunter2', proxy_file: file });
    const { status, out, err } = await plimsoll(['config', ...config]);
    expect(status).toBe(0);
    expect(lineOf(out, 'enrolment_token')).toEqual(['(set)', config[1]]);
    expect(lineOf(out, 'proxy')).toEqual(['(set)', config[1]]);
    expect(out + err).not.toContain('hunter2');
    vi.stubEnv('PLIMSOLL_ENROLMENT_TOKEN_FILE', file);
    expect(lineOf((await plimsoll(['config', ...config])).out, 'enrolment_token')[1]).toBe(
      'PLIMSOLL_ENROLMENT_TOKEN_FILE',
    );
  });

  it('warns of a variable that is a slip of the keyboard', async () => {
    vi.stubEnv('PLIMSOLL_STATE_DRI', '/tmp');
    const { status, err } = await plimsoll(['config', ...installed().config]);
    expect([status, err]).toEqual([0, 'PLIMSOLL_STATE_DRI is not a setting. Did you mean PLIMSOLL_STATE_DIR?\n']);
  });

  it.each([
    ['interval', '3601', 'interval must be a number from 1 to 3600'],
    ['interval', '', 'interval must be a number from 1 to 3600'],
    ['interval', 'Infinity', 'interval must be a number from 1 to 3600'],
    ['state_dir', 'relative/path', 'state_dir must be an absolute path'],
    ['url', 'ftp://plimsoll.example', 'url must be the address of the dashboard'],
    ['url', 'https://bob:hunter2@plimsoll.example', 'url must not hold a user or a password'],
    ['url', 'http://plimsoll.example', 'url: plain http sends the token in the clear'],
    ['allow_http', 'perhaps', 'allow_http must be true or false'],
    ['proxy', 'proxy:3128', 'proxy must be the address of a proxy'],
    ['ca_file', 'ca.pem', 'ca_file must be an absolute path'],
    ['watched_files', '/etc/passwd, hosts', 'watched_files must be absolute paths'],
    ['tags', 'room=3, floor', 'tags must be name=value pairs'],
    ['region', 'x'.repeat(65), 'region must be at most 64 characters'],
    ['log_level', 'loud', 'log_level must be one of debug, info, warn, error'],
    ['log_format', 'xml', 'log_format must be one of auto, json, text'],
    ['enrolment_token_file', '/nowhere/token', '/nowhere/token: cannot be read'],
  ])('%s = %s: refused with the remedy, without repeating a secret', async (key, value, reason) => {
    const { status, out, err } = await plimsoll(['config', ...installed({ [key]: value }).config]);
    expect([status, out]).toEqual([64, '']);
    expect(err).toContain(reason);
    expect(err).not.toContain('hunter2');
  });

  it.each([
    ['TRUE', 'true'],
    ['on', 'true'],
    ['0', 'false'],
    ['No', 'false'],
  ])('takes %s for %s', async (written, value) => {
    const { config } = installed({ strip_arguments: written });
    expect(lineOf((await plimsoll(['config', ...config])).out, 'strip_arguments')[0]).toBe(value);
  });

  it('a file that is not there, or is a folder, is named', async () => {
    for (const file of ['/nowhere/agent.conf', temporaryFolder()]) {
      const { status, err } = await plimsoll(['config', '--config', file]);
      expect([status, err]).toEqual([64, expect.stringContaining(`${file}: cannot be read`)]);
    }
  });
});
