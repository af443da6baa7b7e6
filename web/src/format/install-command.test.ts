import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  concealed,
  helmInstallCommand,
  helmTokenCommand,
  hostInstallCommand,
  hostUninstallCommand,
  isLoopback,
  publicInstallCommand,
  restartCommand,
  shellWord,
  telegramOrNull,
  withoutSecrets,
} from './install-command.ts';

describe('shellWord', () => {
  it('leaves harmless words alone', () => {
    expect(shellWord('https://plimsoll.example.net:8420')).toBe('https://plimsoll.example.net:8420');
  });
  it('gives a real shell the very word', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 40, unit: 'binary-ascii' }), (word) => {
        fc.pre(!word.includes('\0'));
        const heard = execFileSync('/bin/sh', ['-c', `printf %s ${shellWord(word)}`], { encoding: 'utf8' });
        expect(heard).toBe(word);
      }),
      { numRuns: 60, examples: [["it's"], ['$(reboot)'], ['a b'], ['`id`'], ['\n'], ['-n']] },
    );
  });
});

describe('isLoopback', () => {
  it.each(['http://127.0.0.1:8420', 'http://localhost:8420', 'http://[::1]:8420', 'http://127.8.8.8'])(
    '%s',
    (origin) => {
      expect(isLoopback(origin)).toBe(true);
    },
  );
  it.each(['https://plimsoll.example.net', 'http://10.0.0.4:8420', 'http://1270.example.net', 'nonsense'])(
    'not %s',
    (origin) => {
      expect(isLoopback(origin)).toBe(false);
    },
  );
});

describe('install commands', () => {
  it('is one line that carries address and token', () => {
    expect(hostInstallCommand({ origin: 'https://plimsoll.example.net', enrolmentToken: 'ple_abc' })).toBe(
      'curl -fsSL https://plimsoll.example.net/install.sh | sudo sh -s -- --url https://plimsoll.example.net --token ple_abc',
    );
  });
  it('is the same line with wget where curl is missing', () => {
    expect(hostInstallCommand({ origin: 'https://plimsoll.example.net', enrolmentToken: 'ple_abc' }, 'wget')).toBe(
      'wget -qO- https://plimsoll.example.net/install.sh | sudo sh -s -- --url https://plimsoll.example.net --token ple_abc',
    );
  });
  it('says so when the address is plain http', () => {
    expect(hostInstallCommand({ origin: 'http://10.0.0.4:8420', enrolmentToken: 'ple_abc' })).toMatch(/ --allow-http$/);
  });
  it('quotes a token that would mean something to the shell', () => {
    expect(hostInstallCommand({ origin: 'https://a.example', enrolmentToken: "x';id" })).toContain(`'x'\\'';id'`);
  });
  it('shows no secret on the home page', () => {
    expect(publicInstallCommand('https://a.example')).toBe(
      'curl -fsSL https://a.example/install.sh | sudo sh -s -- --url https://a.example',
    );
  });
});

describe('helm command', () => {
  const images = { registry: 'registry.example.com:5000/team', tag: null };
  const plain = {
    origin: 'https://a.example',
    clusterName: '',
    clusterToken: 'plc_abc',
    prometheus: true,
    telegram: null,
    images,
  };
  it('installs the collectors only, into their own namespace', () => {
    expect(helmInstallCommand(plain).split(/ \\\n +/)).toEqual([
      'helm upgrade --install plimsoll-collectors',
      'https://a.example/charts/plimsoll.tgz',
      '--namespace plimsoll-system --create-namespace',
      '--set api.enabled=false',
      '--set image.registry=registry.example.com:5000/team',
      '--set endpoint=https://a.example',
      '--set-string token.value=plc_abc',
      '--set prometheus.enabled=true',
      '--set kubeStateMetrics.enabled=true',
    ]);
  });
  it('names the tag of the images where the operator set one, as a string', () => {
    expect(helmInstallCommand({ ...plain, images: { ...images, tag: '1.10' } })).toContain(
      '--set-string image.tag=1.10',
    );
    expect(helmInstallCommand(plain)).not.toContain('image.tag');
  });
  it('gives the cluster its name, as a string and whole', () => {
    const named = (clusterName: string) => helmInstallCommand({ ...plain, clusterName });
    expect(named(' 2024 ')).toContain('--set-string clusterName=2024 ');
    expect(named("Anna's, EU")).toContain(String.raw`--set-string 'clusterName=Anna'\''s\, EU'`);
  });
  it('drives Prometheus and kube-state-metrics with one toggle', () => {
    const off = helmInstallCommand({ ...plain, prometheus: false });
    expect(off).toContain('--set prometheus.enabled=false');
    expect(off).toContain('--set kubeStateMetrics.enabled=false');
  });
  it('says that plain http is meant', () => {
    expect(helmInstallCommand({ ...plain, origin: 'http://10.0.0.4:8420' })).toContain('--set allowHttp=true');
  });
  it('appends Telegram only when it is on and both fields are filled', () => {
    expect(telegramOrNull(true, '7412:AAF', '-100221')).toEqual({ botToken: '7412:AAF', chatId: '-100221' });
    expect(telegramOrNull(false, '7412:AAF', '-100221')).toBeNull();
    expect(telegramOrNull(true, ' ', '-100221')).toBeNull();
    expect(telegramOrNull(true, '7412:AAF', '')).toBeNull();
    const telegram = { botToken: '7412:AAF', chatId: '-1002214407731' };
    expect(helmInstallCommand({ ...plain, telegram })).toMatch(
      /--set-string telegram\.botToken=7412:AAF \\\n +--set-string telegram\.chatId=-1002214407731$/,
    );
    expect(helmInstallCommand(plain)).not.toContain('telegram');
  });
  it('keeps a comma inside its value, for helm and for the shell', () => {
    const telegram = { botToken: 'a,b', chatId: '1' };
    expect(helmInstallCommand({ ...plain, telegram })).toContain(`--set-string 'telegram.botToken=a\\,b'`);
  });
});

describe('what is looked at', () => {
  it('shows a little of a long secret and nothing of a short one', () => {
    expect(concealed('ple_9f2cAAAABBBB4b1e')).toBe('ple_9f2c••••••••4b1e');
    expect(concealed('7412:AAF')).toBe('••••••••');
  });
  it('is the command without its secrets', () => {
    const command = hostInstallCommand({ origin: 'https://a.example', enrolmentToken: 'ple_9f2cAAAABBBB4b1e' });
    const shown = withoutSecrets(command, ['ple_9f2cAAAABBBB4b1e', '']);
    expect(shown).toContain('--token ple_9f2c••••••••4b1e');
    expect(shown).not.toContain('AAAABBBB');
  });
  it('removes the agent with the script it came with', () => {
    expect(hostUninstallCommand('https://a.example')).toBe(
      'curl -fsSL https://a.example/install.sh | sudo sh -s -- --uninstall',
    );
  });
});

it.each([
  [
    'http://localhost:8420',
    '192.168.1.10',
    'PLIMSOLL_HOST=0.0.0.0 PLIMSOLL_PUBLIC_URL=http://192.168.1.10:8420 npm start',
  ],
  [
    'http://127.0.0.1:18570',
    '10.0.0.7',
    'PLIMSOLL_HOST=0.0.0.0 PLIMSOLL_PORT=18570 PLIMSOLL_PUBLIC_URL=http://10.0.0.7:18570 npm start',
  ],
])('%s starts again at %s', (origin, address, command) => expect(restartCommand(origin, address)).toBe(command));

it('a cluster gets another token and keeps its other values', () =>
  expect(
    helmTokenCommand({ origin: 'https://a.example', clusterToken: 'plm_cluster_x' }).replaceAll(/ \\\n +/g, ' '),
  ).toBe(
    'helm upgrade plimsoll-collectors https://a.example/charts/plimsoll.tgz --namespace plimsoll-system --reuse-values --set-string token.value=plm_cluster_x',
  ));

it('hides a short secret as a whole: its ends would be most of it', () => {
  expect([concealed('short'), concealed('x'.repeat(15))]).toEqual(['••••••••', '••••••••']);
  expect(concealed('ple_9f2c00004b1e')).toBe('ple_9f2c••••••••4b1e');
});

it('hands a backslash to helm as one: helm would take the sign after it literally', () => {
  const command = helmTokenCommand({ origin: 'https://dash.example.net', clusterToken: String.raw`a\b,c` });
  expect(command).toContain(String.raw`--set-string 'token.value=a\\b\,c'`);
});
