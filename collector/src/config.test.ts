import { describe, expect, it } from 'vitest';
import { type Environment, loadSettings } from './config.ts';
import { editDistance, suggest } from './suggest-command.ts';
import { type Settings, SettingError } from './settings.ts';

const missing = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
function load(environment: Environment, files: Record<string, string> = {}, file: string | null = null) {
  return loadSettings(environment, file, (path) => {
    const text = files[path];
    if (text === undefined) throw missing(path);
    return text;
  });
}
const settings = (environment: Environment, files?: Record<string, string>): Settings =>
  load(environment, files).settings;

describe('loadSettings', () => {
  describe('an enrolment token that cannot be read', () => {
    const credential = { PLIMSOLL_ENROLMENT_TOKEN_FILE: '/run/credentials/plimsoll.service/enrolment-token' };
    const file = '/etc/plimsoll/enrolment-token';

    it('comes from the token file where systemd passed no credential', () => {
      const loaded = load(credential, { [file]: 'plm_enrol_x\n' });
      expect([loaded.settings.enrolment_token, loaded.tokenProblem]).toEqual(['plm_enrol_x', null]);
    });

    it('is a problem with file, cause and remedy, and stops nothing else', () => {
      const loaded = load({ ...credential, PLIMSOLL_INTERVAL: '30' });
      expect(loaded.settings).toMatchObject({ enrolment_token: null, interval: 30 });
      expect(loaded.tokenProblem).toMatch(
        /credentials\/plimsoll\.service\/enrolment-token: cannot be read.*enrolment-token: cannot be read.*a drop-in may clear LoadCredential=\. Run the installer/,
      );
    });

    it('is taken from no other place than the one its owner names', () => {
      const loaded = load({ PLIMSOLL_ENROLMENT_TOKEN_FILE: '/none' }, { [file]: 'plm_enrol_x\n' });
      expect(loaded.settings.enrolment_token).toBeNull();
      expect(loaded.tokenProblem).toContain('/none: cannot be read');
    });
  });

  it('has defaults and needs no file', () => {
    expect(settings({})).toMatchObject({
      url: null,
      state_dir: '/var/lib/plimsoll-collector',
      interval: null,
      log_level: 'info',
    });
  });

  it('reads the file, and lets the environment win', () => {
    const files = {
      '/etc/plimsoll/agent.conf': '# a comment\nurl = https://a.example\n\ninterval = "30"\ntags = a=1, b=2\n',
    };
    const loaded = load({ PLIMSOLL_URL: 'https://b.example/' }, files);
    expect(loaded.settings).toMatchObject({ url: 'https://b.example', interval: 30, tags: { a: '1', b: '2' } });
    expect(loaded.origins).toMatchObject({ url: 'PLIMSOLL_URL', interval: '/etc/plimsoll/agent.conf' });
  });

  it('reads a secret from the file a twin names', () => {
    const files = { '/run/token': 'plm_enrol_x\n', '/c': 'enrolment_token_file = /run/token' };
    expect(settings({ PLIMSOLL_ENROLMENT_TOKEN_FILE: '/run/token' }, files).enrolment_token).toBe('plm_enrol_x');
    expect(settings({ PLIMSOLL_CONFIG: '/c' }, files).enrolment_token).toBe('plm_enrol_x');
    expect(() => settings({ PLIMSOLL_PROXY_FILE: '/none' })).toThrow('/none: cannot be read');
  });

  it('names the nearest key for an unknown one', () => {
    expect(() => settings({ PLIMSOLL_CONFIG: '/c' }, { '/c': '\nintervall = 5' })).toThrow(
      '/c line 2: unknown key "intervall". Did you mean "interval"?',
    );
    expect(() => settings({ PLIMSOLL_CONFIG: '/c' }, { '/c': 'zzzzzzzzzz = 5' })).toThrow('Known keys: url');
  });

  it.each([
    [{ PLIMSOLL_INTERVAL: 'soon' }, 'PLIMSOLL_INTERVAL: interval must be a number from 1 to 3600'],
    [{ PLIMSOLL_INTERVAL: '0' }, 'must be a number from 1 to 3600'],
    [{ PLIMSOLL_URL: 'plimsoll.example' }, 'PLIMSOLL_URL: url must be the address'],
    [{ PLIMSOLL_URL: 'https://u:p@h' }, 'must not hold a user'],
    [{ PLIMSOLL_URL: 'https://@h' }, 'must not hold a user'],
    [{ PLIMSOLL_URL: 'https://h/#@evil.test' }, 'must not hold a query or a fragment'],
    [{ PLIMSOLL_URL: 'https://h#' }, 'must not hold a query or a fragment'],
    [{ PLIMSOLL_URL: 'https://h/?token=x' }, 'must not hold a query or a fragment'],
    [{ PLIMSOLL_URL: 'https://h?' }, 'must not hold a query or a fragment'],
    [{ PLIMSOLL_URL: 'https:h' }, 'must have the form https://HOST'],
    [{ PLIMSOLL_URL: 'https:///h' }, 'must have the form https://HOST'],
    [{ PLIMSOLL_URL: 'https://h\\@evil.test' }, 'must have the form https://HOST'],
    [{ PLIMSOLL_URL: 'https://h/a b' }, 'must not hold spaces'],
    [{ PLIMSOLL_URL: 'http://127.1.far.example' }, 'allow_http'],
    [{ PLIMSOLL_URL: 'http://localhost.far.example' }, 'allow_http'],
    [{ PLIMSOLL_URL: 'http://127.0.0.1@far.example' }, 'must not hold a user'],
    [{ PLIMSOLL_STATE_DIR: 'var' }, 'state_dir must be an absolute path'],
    [{ PLIMSOLL_ALLOW_HTTP: 'maybe' }, 'allow_http must be true or false'],
    [{ PLIMSOLL_TAGS: 'a' }, 'tags must be name=value'],
    [{ PLIMSOLL_LOG_LEVEL: 'loud' }, 'log_level must be one of debug, info, warn, error'],
    [{ PLIMSOLL_CONFIG: '/none' }, '/none: cannot be read'],
  ])('refuses %j', (environment, message) => {
    expect(() => settings(environment)).toThrow(SettingError);
    expect(() => settings(environment)).toThrow(message);
  });

  it('refuses a line that is no setting', () => {
    expect(() => settings({ PLIMSOLL_CONFIG: '/c' }, { '/c': 'hello' })).toThrow('/c line 1: expected "key = value"');
  });

  it.each(['http://localhost:8420', 'http://127.0.0.1:8420', 'http://[::1]:8420', 'https://far.example'])(
    'takes %s',
    (url) => {
      expect(settings({ PLIMSOLL_URL: url }).url).toBe(url);
    },
  );

  it('takes plain http to another machine only when told to', () => {
    expect(() => settings({ PLIMSOLL_URL: 'http://far.example' })).toThrow('allow_http');
    expect(() => settings({ PLIMSOLL_URL: 'http://127.0.0.1.far.example' })).toThrow('allow_http');
    expect(settings({ PLIMSOLL_URL: 'http://far.example', PLIMSOLL_ALLOW_HTTP: 'true' }).allow_http).toBe(true);
  });

  it('takes the text of a tag whole, also after another "="', () => {
    expect(settings({ PLIMSOLL_TAGS: 'a=b=c, query = x==1 ,empty=' }).tags).toEqual({
      a: 'b=c',
      query: 'x==1',
      empty: '',
    });
    expect(settings({ PLIMSOLL_CONFIG: '/c' }, { '/c': 'tags = a=b=c\n' }).tags).toEqual({ a: 'b=c' });
  });

  it('takes the proxy of the environment, unless a setting or NO_PROXY says otherwise', () => {
    const machine = { PLIMSOLL_URL: 'https://far.example', HTTPS_PROXY: 'http://proxy:3128' };
    expect(load(machine)).toMatchObject({
      settings: { proxy: 'http://proxy:3128' },
      origins: { proxy: 'HTTPS_PROXY' },
      warnings: [],
    });
    expect(settings({ ...machine, NO_PROXY: '.example' }).proxy).toBeNull();
    expect(settings({ ...machine, PLIMSOLL_PROXY: 'http://own:1' }).proxy).toBe('http://own:1');
    expect(load({ ...machine, HTTPS_PROXY: 'socks5://proxy:1080' })).toMatchObject({
      settings: { proxy: null },
      warnings: ['HTTPS_PROXY: proxy must be the address of a proxy, like http://proxy:3128'],
    });
    expect(settings({ HTTPS_PROXY: 'http://proxy:3128' }).proxy).toBeNull();
  });

  it('warns of a variable that is nearly a setting and leaves the others alone', () => {
    const { warnings } = load({ PLIMSOLL_INTERVALL: '5', PLIMSOLL_PORT: '8420', PLIMSOLL_ADMIN_EMAIL: 'x' });
    expect(warnings).toEqual(['PLIMSOLL_INTERVALL is not a setting. Did you mean PLIMSOLL_INTERVAL?']);
  });
});

describe('suggest', () => {
  it('counts edits', () => {
    expect([editDistance('kitten', 'sitting'), editDistance('', 'ab'), editDistance('a', 'a')]).toEqual([3, 2, 0]);
  });

  it('offers nothing that is far away', () => {
    expect(suggest('banana', ['url', 'interval'])).toBeNull();
  });
});
