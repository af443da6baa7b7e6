import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'plist';
import { afterEach, describe, expect, test } from 'vitest';
import { collectorRuntime } from '../../lib/collector-runtime.ts';
import { ROOT } from '../../lib/web-build.ts';
import { pretend, type Pretence, type Pretended } from './pretend.ts';

const URL = 'https://plimsoll.example.com';
const shells = ['/bin/sh', '/bin/bash', '/bin/busybox'].filter((shell) => shell === '/bin/sh' || existsSync(shell));

let made: Pretence | null = null;
afterEach(() => {
  made?.remove();
  made = null;
});
const on = (machine: Pretended, shell = '/bin/sh'): Pretence => (made = pretend(machine, shell));
const targetOn = (machine: Pretended): string => on(machine).evaluate('detect_target; echo "$target"');

const GLIBC = '/lib64/ld-linux-x86-64.so.2';
const MUSL = '/lib/ld-musl-x86_64.so.1';

describe('the target', () => {
  test.each<[string, Pretended, string]>([
    ['glibc on x86_64', { system: 'Linux', machine: 'x86_64', files: [GLIBC] }, 'linux-x64'],
    ['musl on x86_64', { system: 'Linux', machine: 'x86_64', files: [MUSL] }, 'linux-x64-musl'],
    ['glibc with musl beside it', { system: 'Linux', machine: 'x86_64', files: [MUSL, GLIBC] }, 'linux-x64'],
    [
      'Alpine with gcompat, which has a loader of that name',
      { system: 'Linux', machine: 'x86_64', files: [MUSL, GLIBC, '/etc/alpine-release'] },
      'linux-x64-musl',
    ],
    ['arm64 Linux', { system: 'Linux', machine: 'aarch64', files: ['/lib/ld-linux-aarch64.so.1'] }, 'linux-arm64'],
    ['arm64 Alpine', { system: 'Linux', machine: 'aarch64', files: ['/lib/ld-musl-aarch64.so.1'] }, 'linux-arm64-musl'],
    ['Apple silicon', { system: 'Darwin', machine: 'arm64', commands: { sysctl: 'echo 1' } }, 'darwin-arm64'],
    [
      'Apple silicon under Rosetta',
      { system: 'Darwin', machine: 'x86_64', commands: { sysctl: 'echo 1' } },
      'darwin-arm64',
    ],
    ['an Intel Mac', { system: 'Darwin', machine: 'x86_64', commands: { sysctl: 'exit 1' } }, 'darwin-x64'],
  ])('%s', (_what, machine, target) => {
    expect(targetOn(machine)).toBe(target);
  });

  test.each<[string, Pretended, string]>([
    ['FreeBSD', { system: 'FreeBSD', machine: 'amd64' }, 'FreeBSD is not supported'],
    [
      'a Raspberry Pi of 32 bits',
      { system: 'Linux', machine: 'armv7l' },
      'no build for 32-bit ARM. See docs/install.md',
    ],
    ['riscv64', { system: 'Linux', machine: 'riscv64' }, 'riscv64 is not supported'],
    [
      'a 32-bit system on a 64-bit kernel',
      { system: 'Linux', machine: 'x86_64', commands: { getconf: 'echo 32' } },
      'this system is 32-bit',
    ],
  ])('%s is refused with status 3', (_what, machine, message) => {
    const { status, stderr } = on(machine).install('--url', URL, '--token', 't');
    expect(status).toBe(3);
    expect(stderr).toContain(message);
  });
});

describe('wrong arguments end with status 2 and say what is right', () => {
  test.each([
    [['--ur', URL], 'unknown argument: --ur'],
    [['--url'], '--url needs a value'],
    [['--token', 't'], '--url is missing'],
    [['--url', 'plimsoll.example.com', '--token', 't'], '--url must start with https://'],
    [['--url', 'http://10.0.0.1:8420', '--token', 't'], 'add --allow-http'],
    [['--url', `${URL}/$(id)`, '--token', 't'], 'holds a character an address cannot have'],
    [['--url', URL, '--token', 'a b'], 'the token holds a character no token has'],
    [['--url', URL, '--token-file', '/nowhere'], 'cannot read --token-file /nowhere'],
    [['--url', URL, '--version', '../1'], '--version must look like 1.2.3'],
    [['--url', URL, '--version', '..'], '--version must look like 1.2.3'],
    [['--url', URL, '--version', '.'], '--version must look like 1.2.3'],
    [['--url', URL, '--version', '1..2'], '--version must look like 1.2.3'],
    [['--url', URL, '--version', '-1'], '--version must look like 1.2.3'],
    [['--url', 'http://127.0.0.1.evil.test', '--token', 't'], 'add --allow-http'],
    [['--url', 'http://127.evil.test:8420', '--token', 't'], 'add --allow-http'],
    [['--url', 'http://127.0.0.1:80.evil.test', '--token', 't'], 'add --allow-http'],
    [['--url', 'http://localhost.evil.test', '--token', 't'], 'add --allow-http'],
    [['--url', 'http://[::1].evil.test', '--token', 't'], 'add --allow-http'],
    [['--url', URL, '--token', 't', '--from', '/nowhere.tar.gz'], '/nowhere.tar.gz.sha256 is missing'],
  ])('%j', (words, message) => {
    const { status, stderr } = on({ system: 'Linux', machine: 'x86_64', files: [GLIBC] }).install(...words);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });

  test('one who is not root is told so', () => {
    const machine = on({ system: 'Linux', machine: 'x86_64', files: [GLIBC], commands: { id: 'echo 1000' } });
    const { status, stderr } = machine.install('--url', URL, '--token', 't');
    expect([status, stderr]).toEqual([1, 'plimsoll: run this as root: put sudo before sh\n']);
  });
});

test.each(['http://localhost', 'http://localhost:8420/', 'http://127.0.0.1:8420', 'http://[::1]:8420/base'])(
  'this machine at %s needs no --allow-http',
  (url) => {
    const machine = on({ system: 'Linux', machine: 'x86_64', files: [GLIBC] });
    expect(machine.install('--url', url, '--token', 't', '--dry-run')).toMatchObject({ status: 0 });
  },
);

test.each([
  [[], URL, '=https'],
  [['--allow-http'], 'http://10.0.0.1:8420', '=http,https'],
])('downloads keep to the protocol of the address, redirects included: %j %s', (words, url, protocols) => {
  const curl = 'exit 1';
  const machine = on({ system: 'Linux', machine: 'x86_64', files: [GLIBC], commands: { curl, useradd: ':' } });
  expect(machine.install('--url', url, '--token', 't', ...words).status).toBe(1);
  const calls = machine.calls().filter((call) => call.startsWith('curl '));
  expect(calls).toHaveLength(1);
  expect(calls.join('')).toContain(`--proto ${protocols} `);
});

const MAC: Pretended = {
  system: 'Darwin',
  machine: 'arm64',
  commands: {
    sysctl: 'echo 1',
    launchctl: 'case $1 in print) echo "last exit code = (never exited)" ;; esac',
    dscl: 'case $2 in -list) echo "_other 300" ;; esac',
  },
};

describe.each(shells)('macOS, by %s', (shell) => {
  test('installs a LaunchDaemon of its own account and takes everything away again', async () => {
    const mac = on(MAC, shell);
    const words = ['--url', URL, '--token', 'secret-token', '--from', await mac.kit('1.2.3', 'darwin-arm64')];
    const { status, stderr } = mac.install(...words);
    expect(stderr).toBe(`plimsoll: 1.2.3 is installed and reports as pretended: ${URL}/servers\n`);
    expect(status).toBe(0);
    expect(mac.read('/etc/plimsoll/agent.conf')).toBe(
      `url = ${URL}\nstate_dir = ${mac.path('/var/db/plimsoll-collector')}\n`,
    );
    expect(statSync(mac.path('/etc/plimsoll/enrolment-token')).mode & 0o777).toBe(0o600);
    const calls = mac.calls();
    expect(calls).toContain('dscl . -create /Users/_plimsoll UniqueID 301');
    expect(calls).toContain(`chown _plimsoll ${mac.path('/etc/plimsoll/enrolment-token.new')}`);
    const plist = mac.path('/Library/LaunchDaemons/app.plimsoll.collector.plist');
    expect(calls.filter((call) => /launchctl boot/.test(call))).toEqual([
      'launchctl bootout system/app.plimsoll.collector',
      `launchctl bootstrap system ${plist}`,
    ]);
    expect(calls.join('\n')).not.toContain('secret-token');

    expect(mac.install('--uninstall').status).toBe(0);
    for (const gone of [
      '/usr/local/bin/plimsoll',
      '/usr/local/lib/plimsoll',
      '/etc/plimsoll',
      '/var/db/plimsoll-collector',
    ])
      expect(mac.exists(gone)).toBe(false);
    expect(existsSync(plist)).toBe(false);
    expect(mac.calls()).toContain('dscl . -delete /Users/_plimsoll');
  });
});

test('a daemon that does not run ends with status 5 and the end of its log', async () => {
  const mac = on({ ...MAC, reports: false, commands: { ...MAC.commands, launchctl: 'echo "last exit code = 78"' } });
  writeFileSync(mac.path('/var/log/plimsoll.log'), 'enrolment refused: no such token\n');
  const { status, stderr } = mac.install(
    '--url',
    URL,
    '--token',
    't',
    '--from',
    await mac.kit('1.2.3', 'darwin-arm64'),
  );
  expect(stderr).toMatch(/^enrolment refused: no such token\nplimsoll: 1\.2\.3 is installed, but no report reached/);
  expect(status).toBe(5);
});

describe('Linux without systemd', () => {
  const BARE: Pretended = {
    system: 'Linux',
    machine: 'x86_64',
    files: [MUSL],
    commands: { useradd: ':', userdel: ':' },
  };

  test('puts everything in place and says what to run', async () => {
    const bare = on(BARE);
    const { status, stderr } = bare.install(
      '--url',
      URL,
      '--token',
      't',
      '--from',
      await bare.kit('1.2.3', 'linux-x64-musl'),
    );
    expect(status).toBe(0);
    expect(stderr).toMatch(
      /No systemd, OpenRC or launchd here: let your init system run, as user plimsoll,\n.*env BUN_JSC_useJIT=0 .*bin\/plimsoll run/,
    );
    expect(bare.calls().find((call) => call.startsWith('useradd'))).toContain('--system');
    expect(bare.install('--uninstall').status).toBe(0);
    expect(bare.calls()).toContain('userdel plimsoll');
  });

  test('a kit for another platform is refused', async () => {
    const bare = on(BARE);
    const { status, stderr } = bare.install(
      '--url',
      URL,
      '--token',
      't',
      '--from',
      await bare.kit('1.2.3', 'linux-x64'),
    );
    expect(status).toBe(1);
    expect(stderr).toContain('what should be a checksum for linux-x64-musl is none');
    expect(bare.exists('/usr/local/lib/plimsoll')).toBe(false);
  });

  test('a kit with one byte flipped is refused with both sums', async () => {
    const bare = on(BARE);
    const kit = await bare.kit('1.2.3', 'linux-x64-musl');
    const bytes = readFileSync(kit);
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
    writeFileSync(kit, bytes);
    const { status, stderr } = bare.install('--url', URL, '--token', 't', '--from', kit);
    expect(status).toBe(4);
    expect(stderr).toMatch(/checksum mismatch: expected [0-9a-f]{64}, got [0-9a-f]{64}/);
    expect(bare.exists('/usr/local/bin/plimsoll')).toBe(false);
  });
});

test('with systemd older than 247 the account owns the token file', async () => {
  const old = on({
    system: 'Linux',
    machine: 'x86_64',
    files: [GLIBC, '/run/systemd/system/x'],
    commands: { systemctl: 'case $1 in --version) echo "systemd 245 (245.4)" ;; esac', useradd: ':', journalctl: ':' },
  });
  const { status } = old.install('--url', URL, '--token', 't', '--from', await old.kit('1.2.3', 'linux-x64'));
  expect(status).toBe(0);
  expect(old.read('/etc/systemd/system/plimsoll.service.d/token-file.conf')).toContain('/etc/plimsoll/enrolment-token');
  expect(old.calls()).toContain(`chown plimsoll ${old.path('/etc/plimsoll/enrolment-token.new')}`);
});

test('each source of hardware that needs more has a drop-in of its own, which goes again', async () => {
  const linux = on({
    system: 'Linux',
    machine: 'x86_64',
    files: [GLIBC, '/run/systemd/system/x'],
    commands: { systemctl: 'case $1 in --version) echo "systemd 252 (252.1)" ;; esac', useradd: ':', journalctl: ':' },
  });
  const folder = '/etc/systemd/system/plimsoll.service.d';
  const from = ['--from', await linux.kit('1.2.3', 'linux-x64')];
  const first = linux.install('--url', URL, '--token', 't', '--with-smart', '--with-gpu', '--with-zpool', ...from);
  expect(first.stderr).toContain('--with-zpool reads by zpool, which is not installed');
  for (const name of ['smart', 'gpu', 'zpool'])
    expect(linux.read(`${folder}/${name}.conf`)).toContain(`Environment=PLIMSOLL_${name.toUpperCase()}=true`);
  linux.install('--without-smart', ...from);
  expect(linux.exists(`${folder}/smart.conf`)).toBe(false);
  expect(linux.exists(`${folder}/gpu.conf`)).toBe(true);
});

test('the journal has a drop-in that an update keeps, and needs systemd and the group that may read it', async () => {
  const systemctl = 'case $1 in --version) echo "systemd 252 (252.1)" ;; esac';
  const commands = { systemctl, useradd: ':', userdel: ':', journalctl: ':', getent: ':' };
  const machine: Pretended = { system: 'Linux', machine: 'x86_64', files: [GLIBC, '/run/systemd/system/x'], commands };
  const linux = on(machine);
  const dropIn = '/etc/systemd/system/plimsoll.service.d/journal.conf';
  const kit = async (version: string) => ['--from', await linux.kit(version, 'linux-x64')];
  linux.install('--url', URL, '--token', 't', ...(await kit('1.2.3')));
  expect(linux.exists(dropIn)).toBe(false);
  expect(linux.install('--with-journal', ...(await kit('1.2.3'))).status).toBe(0);
  expect(linux.read(dropIn)).toContain('Environment=PLIMSOLL_JOURNAL=true\nSupplementaryGroups=systemd-journal\n');
  linux.install('--update', ...(await kit('1.2.4')));
  expect(linux.exists(dropIn)).toBe(true);
  linux.install('--without-journal', ...(await kit('1.2.4')));
  expect(linux.exists(dropIn)).toBe(false);
  linux.install('--with-journal', ...(await kit('1.2.4')));
  linux.install('--uninstall');
  expect(linux.exists(dropIn)).toBe(false);

  const without = on({ ...machine, commands: { ...commands, getent: 'exit 2' } });
  const from = ['--from', await without.kit('1.2.3', 'linux-x64')];
  const refused = without.install('--url', URL, '--token', 't', '--with-journal', ...from);
  expect([refused.status, refused.stderr]).toEqual([
    3,
    expect.stringContaining('the group systemd-journal is missing'),
  ]);
  const alpine = on(OPENRC);
  const other = alpine.install(
    '--url',
    URL,
    '--token',
    't',
    '--with-journal',
    '--from',
    await alpine.kit('1.2.3', 'linux-x64-musl'),
  );
  expect([other.status, other.stderr]).toEqual([3, expect.stringContaining('--with-journal needs systemd')]);
});

const OPENRC: Pretended = {
  system: 'Linux',
  machine: 'x86_64',
  files: [MUSL, '/run/openrc/softlevel'],
  commands: { useradd: ':', userdel: ':', 'rc-service': ':', 'rc-update': ':' },
};

describe.each(shells)('OpenRC, by %s', (shell) => {
  test('installs a service of the account and takes everything away again', async () => {
    const alpine = on(OPENRC, shell);
    const kit = await alpine.kit('1.2.3', 'linux-x64-musl');
    const { status, stderr } = alpine.install('--url', URL, '--token', 't', '--from', kit);
    expect(stderr).toBe(`plimsoll: 1.2.3 is installed and reports as pretended: ${URL}/servers\n`);
    expect(status).toBe(0);
    expect(statSync(alpine.path('/etc/init.d/plimsoll')).mode & 0o777).toBe(0o755);
    expect(statSync(alpine.path('/var/lib/plimsoll-collector')).mode & 0o777).toBe(0o700);
    expect(alpine.calls()).toContain(`chown plimsoll ${alpine.path('/etc/plimsoll/enrolment-token.new')}`);
    expect(alpine.calls().filter((call) => call.startsWith('rc-'))).toEqual([
      'rc-update add plimsoll default',
      'rc-service plimsoll restart',
    ]);
    expect(alpine.install('--uninstall').status).toBe(0);
    expect(alpine.calls()).toEqual(
      expect.arrayContaining(['rc-service plimsoll stop', 'rc-update del plimsoll default']),
    );
    expect(alpine.exists('/etc/init.d/plimsoll')).toBe(false);
  });
});

test('a service of OpenRC that does not stay ends with status 5 and the end of its log', async () => {
  const status = 'case $2 in status) exit 3 ;; esac';
  const alpine = on({ ...OPENRC, reports: false, commands: { ...OPENRC.commands, 'rc-service': status } });
  writeFileSync(alpine.path('/var/log/plimsoll.log'), 'enrolment refused: no such token\n');
  const kit = await alpine.kit('1.2.3', 'linux-x64-musl');
  const ran = alpine.install('--url', URL, '--token', 't', '--from', kit);
  expect(ran.stderr).toMatch(
    /^enrolment refused: no such token\nplimsoll: 1\.2\.3 is installed, but no report reached/,
  );
  expect(ran.status).toBe(5);
});

test('the service of OpenRC has the runtime and the files of the unit of systemd', () => {
  const script = readFileSync(join(ROOT, 'collector/units/plimsoll.openrc'), 'utf8');
  const exported = Object.fromEntries(
    [...script.matchAll(/^export (\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]),
  );
  expect(exported).toEqual({ ...collectorRuntime(), PLIMSOLL_ENROLMENT_TOKEN_FILE: '/etc/plimsoll/enrolment-token' });
  expect(execFileSync('sh', ['-n', join(ROOT, 'collector/units/plimsoll.openrc')], { encoding: 'utf8' })).toBe('');
});

describe('a proxy', () => {
  const SAID = `echo "proxy $https_proxy but $no_proxy" >&2; exit 1`;
  const PROXY = 'http://user:s%26c&ret@proxy:3128';
  const linux = (environment: Record<string, string>, system: Partial<Pretended> = {}): Pretence =>
    on({
      system: 'Linux',
      machine: 'x86_64',
      files: [GLIBC],
      commands: { useradd: ':', userdel: ':' },
      environment,
      ...system,
    });

  test('of the environment is passed to curl, which reads the lower case only', () => {
    const machine = linux({ HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8, .test' }, { commands: { curl: SAID } });
    expect(machine.install('--url', URL, '--token', 't').stderr).toContain(`proxy ${PROXY} but 10.0.0.0/8, .test\n`);
    expect(machine.exists('/etc/plimsoll/proxy.env')).toBe(false);
  });

  test('is kept for the service, where only root reads it, until --proxy none', async () => {
    const machine = linux({ https_proxy: PROXY, no_proxy: 'a.test b.test' });
    const words = ['--url', URL, '--token', 't', '--from', await machine.kit('1.2.3', 'linux-x64')];
    expect(machine.install(...words).status).toBe(0);
    expect(machine.read('/etc/plimsoll/proxy.env')).toBe(`NO_PROXY='a.test b.test'\nHTTPS_PROXY='${PROXY}'\n`);
    expect(statSync(machine.path('/etc/plimsoll/proxy.env')).mode & 0o777).toBe(0o600);
    expect(machine.read('/etc/plimsoll/agent.conf')).not.toContain('proxy');
    expect(machine.calls().join()).not.toContain('ret@');
    expect(machine.install(...words, '--proxy', 'http://other:1').status).toBe(0);
    expect(machine.read('/etc/plimsoll/proxy.env')).toContain("HTTPS_PROXY='http://other:1'");
    expect(machine.install(...words, '--proxy', 'none').status).toBe(0);
    expect(machine.exists('/etc/plimsoll/proxy.env')).toBe(false);
  });

  test('that was kept is used by an update without an environment', async () => {
    const machine = linux({}, { commands: { useradd: ':', curl: SAID } });
    const kit = await machine.kit('1.2.3', 'linux-x64');
    expect(machine.install('--url', URL, '--token', 't', '--from', kit, '--proxy', PROXY).status).toBe(0);
    expect(machine.install('--update').stderr).toContain(`proxy ${PROXY} but \n`);
  });

  test('of macOS stands in the property list, which then only root reads', async () => {
    const mac = on({ ...MAC, environment: { HTTPS_PROXY: PROXY, NO_PROXY: '.test' } });
    expect(mac.install('--url', URL, '--token', 't', '--from', await mac.kit('1.2.3', 'darwin-arm64')).status).toBe(0);
    const file = mac.path('/Library/LaunchDaemons/app.plimsoll.collector.plist');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
      EnvironmentVariables: { ...collectorRuntime(), HTTPS_PROXY: PROXY, NO_PROXY: '.test' },
    });
  });

  test.each([["http://pro'xy"], ['http://pro xy'], ['http://pro\nxy'], ['http://pro\\xy']])(
    '%j is refused',
    (proxy) => {
      const { status, stderr } = linux({}).install('--url', URL, '--token', 't', '--proxy', proxy);
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^plimsoll: the proxy (or NO_PROXY )?holds a/)]);
    },
  );
});

describe('wget where curl is missing', () => {
  /** A PATH without curl: everything the script needs is linked. */
  const without = (help: string): Pretence => {
    const machine = on({
      system: 'Linux',
      machine: 'x86_64',
      files: [GLIBC],
      commands: { wget: `case $1 in --help) echo "${help}" ;; *) exit 4 ;; esac` },
    });
    machine.hide('curl');
    return machine;
  };
  test.each([
    ['GNU', '  --https-only  follow secure HTTPS links only', `wget -q -T 60 --https-only -O`],
    ['busybox', 'Usage: wget [-cqS]', 'wget -q -T 60 -O'],
  ])('of %s', (_, help, call) => {
    const machine = without(help);
    const { stderr, status } = machine.install('--url', URL, '--token', 't');
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`no collector for linux-x64 (version latest) at ${URL}`),
    ]);
    expect(
      machine.calls().some((one) => one.startsWith(call) && one.endsWith(`${URL}/agent/latest/linux-x64.sha256`)),
    ).toBe(true);
  });
});

test('a script cut short anywhere runs nothing', () => {
  const script = readFileSync(join(ROOT, 'scripts/install.sh'), 'utf8');
  const machine = on({ system: 'Linux', machine: 'x86_64', files: [GLIBC] });
  const whole = machine.read('install.sh');
  for (const share of [0.2, 0.5, 0.8, 0.99]) {
    writeFileSync(machine.path('install.sh'), whole.slice(0, Math.floor(whole.length * share)));
    machine.install('--url', URL, '--token', 't');
  }
  expect(machine.calls()).toEqual(['']);
  expect(script.trimEnd().split('\n').at(-1)).toBe('main "$@"; exit');
});

test('the property list says what launchd is to do', () => {
  const plist = parse(readFileSync(join(ROOT, 'collector/units/app.plimsoll.collector.plist'), 'utf8'));
  expect(plist).toEqual({
    Label: 'app.plimsoll.collector',
    ProgramArguments: ['/usr/local/bin/plimsoll', 'run'],
    WorkingDirectory: '/',
    UserName: '_plimsoll',
    GroupName: '_plimsoll',
    EnvironmentVariables: {
      ...collectorRuntime(),
      PLIMSOLL_ENROLMENT_TOKEN_FILE: '/etc/plimsoll/enrolment-token',
    },
    RunAtLoad: true,
    KeepAlive: true,
    ThrottleInterval: 10,
    ProcessType: 'Background',
    LowPriorityIO: true,
    Umask: 0o077,
    StandardErrorPath: '/var/log/plimsoll.log',
    StandardOutPath: '/var/log/plimsoll.log',
  });
});
