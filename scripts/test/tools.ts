import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { buildCollector, COLLECTOR } from '../lab/senders/otelcol/build.ts';
import { type DebianProgram, findProgram, packagesOf, unpackProgram } from '../../api/src/testing/debian-programs.ts';

/** A tool a test lane needs beyond npm packages. */
export interface Tool {
  name: string;
  isPresent(): boolean;
  /** Debian packages that bring it. */
  packages: string[];
  /** Unpacks the packages instead of installing them, which would start a service. */
  unpack?: () => void;
  /** The command a person types where we may not install. */
  remedy: string;
  /** Test files that cannot run without it, as globs. */
  needs: string[];
}

/** A program of Debian that is unpacked below .cache. */
const unpacked = (program: DebianProgram, needs: string[]): Tool => ({
  name: program,
  isPresent: () => findProgram(program) !== null,
  packages: [...packagesOf(program)],
  unpack: () => unpackProgram(program),
  remedy: 'npm test as root on Debian, which unpacks it below .cache',
  needs,
});

const SENDERS = 'scripts/lab/senders/prometheus.senders.test.ts';

const chromiumPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const tools: Tool[] = [
  {
    name: 'PostgreSQL server',
    isPresent: () => globSync('/usr/lib/postgresql/*/bin/initdb').length > 0,
    packages: ['postgresql'],
    remedy: 'apt-get install postgresql',
    // The bundled PostgreSQL needs nothing; the other half of these tests names itself as skipped.
    needs: [],
  },
  {
    name: 'Chromium',
    isPresent: () => chromiumPaths.some(existsSync),
    packages: ['chromium', 'fonts-liberation'],
    remedy: 'apt-get install chromium',
    needs: ['web/**/*.browser.test.tsx', '{web,scripts/e2e}/**/*.e2e.test.ts', 'scripts/lab/install/setup.e2e.test.ts'],
  },
  {
    name: 'systemd-nspawn',
    isPresent: () => existsSync('/usr/bin/systemd-nspawn'),
    packages: ['systemd-container', 'iproute2'],
    remedy: 'apt-get install systemd-container iproute2',
    needs: ['scripts/lab/install/*.e2e.test.ts'],
  },
  {
    name: 'script',
    // That of util-linux; other systems have one with other options.
    isPresent: () => process.platform === 'linux' && existsSync('/usr/bin/script'),
    packages: ['bsdutils'],
    remedy: 'apt-get install bsdutils',
    needs: ['scripts/start/stop.e2e.test.ts'],
  },
  {
    name: 'sudo',
    isPresent: () => existsSync('/usr/bin/sudo'),
    packages: ['sudo'],
    remedy: 'apt-get install sudo',
    // The commands of Setup begin with it; the test's machine has what this one has.
    needs: ['scripts/lab/install/setup.e2e.test.ts'],
  },
  {
    name: 'qemu-aarch64',
    isPresent: () => existsSync('/usr/bin/qemu-aarch64') && existsSync('/usr/aarch64-linux-gnu/lib/libc.so.6'),
    packages: ['qemu-user', 'libc6-arm64-cross'],
    remedy: 'apt-get install qemu-user libc6-arm64-cross',
    needs: ['scripts/agent-build/*.e2e.test.ts'],
  },
  {
    name: 'shellcheck',
    isPresent: () => existsSync('/usr/bin/shellcheck'),
    packages: ['shellcheck'],
    remedy: 'apt-get install shellcheck',
    needs: [],
  },
  unpacked('pgbouncer', ['api/src/database/pooler.pg.test.ts']),
  unpacked('nginx', ['api/src/http/behind-nginx.pg.test.ts']),
  unpacked('prometheus', [
    'api/src/series/routes/scraped-by-prometheus.pg.test.ts',
    'api/src/series/remote/*.pg.test.ts',
    SENDERS,
    'scripts/lab/prometheus/two-clusters.pg.test.ts',
  ]),
  unpacked('victoria-metrics', ['api/src/series/remote/*.pg.test.ts']),
  unpacked('node-exporter', [SENDERS]),
  {
    name: 'OpenTelemetry Collector',
    isPresent: () => existsSync(COLLECTOR),
    packages: [],
    // No Debian package has it. Go takes its parts from the module proxy.
    unpack: buildCollector,
    remedy: 'an installation of Go, then npm test -- --lane senders',
    needs: ['scripts/lab/senders/opentelemetry.senders.test.ts'],
  },
  unpacked('vmagent', [SENDERS]),
];

export const isDebianRoot = (): boolean =>
  process.getuid?.() === 0 &&
  existsSync('/usr/bin/apt-get') &&
  /^ID(_LIKE)?=.*(debian|ubuntu)/m.test(readFileSync('/etc/os-release', 'utf8'));

/** Debian's postgresql package would create and start a cluster on the standard port: ask it not to, if it is not there yet. */
function withoutMainCluster(packages: string[]): void {
  const folder = '/etc/postgresql-common/createcluster.d';
  if (!packages.includes('postgresql') || existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/no-main-cluster.conf`, 'create_main_cluster = false\n');
}

/** Another apt may be at work, such as a machine's own updates: its turn is waited for. */
const APT = ['-o', 'DPkg::Lock::Timeout=300', '-qq'];

/** Brings the tools that are missing. */
export function bringTools(missing: readonly Tool[], say: (line: string) => void): void {
  const packages = missing.filter(({ unpack }) => unpack === undefined).flatMap((tool) => tool.packages);
  if (packages.length > 0) installPackages(packages, say);
  for (const { name, unpack } of missing) {
    if (unpack === undefined) continue;
    say(`unpacking ${name} for the tests`);
    unpack();
  }
}

/** Installs Debian packages, showing apt's output. Throws with apt's exit status when it fails. */
function installPackages(packages: string[], say: (line: string) => void): void {
  say(`installing Debian packages for the tests: ${packages.join(' ')}`);
  withoutMainCluster(packages);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const stdio: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit'];
  const known = spawnSync('apt-cache', ['policy', ...packages], { encoding: 'utf8' });
  const update = () => execFileSync('apt-get', [...APT, 'update'], { env, stdio });
  const install = () =>
    execFileSync('apt-get', [...APT, 'install', '-y', '--no-install-recommends', ...packages], { env, stdio });
  if (/Candidate: \(none\)/.test(known.stdout) || known.stdout === '') update();
  try {
    install();
  } catch {
    // The lists may name files the mirror no longer has.
    update();
    install();
  }
}
