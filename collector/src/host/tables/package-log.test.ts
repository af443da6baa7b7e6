import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capturedText } from '../../testing/captured.ts';
import { describePackages, PACKAGE_LOGS } from './package-log.ts';

const parserOf = (path: string): ((line: string) => string | null) => {
  const found = PACKAGE_LOGS.find((log) => log.path === path);
  if (!found) throw new Error(`no log ${path}`);
  return found.parse;
};
const [dpkg, dnf, pacman] = ['var/log/dpkg.log', 'var/log/dnf.rpm.log', 'var/log/pacman.log'].map(parserOf);
/** Package changes in a captured log of dpkg. */
const toldBy = (name: string): string[] =>
  capturedText('debian-12-dpkg', `${name}.txt`)
    .split('\n')
    .flatMap((line) => dpkg?.(line) ?? []);

describe('the log of dpkg', () => {
  it('tells what was upgraded, once, by its new version', () => {
    expect(toldBy('upgrade')).toEqual(['libsystemd0 252.38-1~deb12u1', 'libudev1 252.38-1~deb12u1']);
  });

  it('tells each package that came or grew, and none that only had its triggers run', () => {
    const told = toldBy('install');
    const text = capturedText('debian-12-dpkg', 'install.txt');
    expect(told).toHaveLength(text.match(/ configure \S/g)?.length ?? 0);
    expect(told.length).toBeGreaterThan(5);
    const triggered = [...text.matchAll(/ trigproc ([^:]+):/g)].map(([, name]) => name);
    expect(triggered).toContain('libc-bin');
    expect(told.filter((one) => triggered.includes(one.split(' ')[0]))).toEqual([]);
  });

  it('tells nothing while packages are removed, though each is called installed once more', () => {
    expect(capturedText('debian-12-dpkg', 'remove.txt')).toContain('status installed clang-19:amd64');
    expect(toldBy('remove')).toEqual([]);
  });

  it.each([
    ['2026-11-20 22:18:20 install linux-image-amd64:amd64 <none> 6.1.158-1', 'linux-image-amd64 6.1.158-1'],
    ['2026-11-20 22:18:20 install perl-modules-5.36:all <none> 5.36.0-7+deb12u2', 'perl-modules-5.36 5.36.0-7+deb12u2'],
    ['2026-11-20 22:18:20 upgrade g++-12:amd64 12.2.0-14 1:12.2.0-14+deb12u1', 'g++-12 1:12.2.0-14+deb12u1'],
    ['2026-11-20 22:18:20 install local-build <none> 1', 'local-build 1'],
  ])('%s', (line, told) => {
    expect(dpkg?.(line)).toBe(told);
  });

  it.each(['', 'install', '2026-11-20 22:18:20 install', '2026-11-20 22:18:20 install a:b <none>'])(
    'takes %j, which is cut, for nothing',
    (line) => {
      expect(dpkg?.(line)).toBeNull();
    },
  );
});

describe('the log of dnf', () => {
  it.each([
    ['2026-01-01T00:00:00+0000 SUBDEBUG Upgrade: bash-5.2.26-1.fc40.x86_64', 'bash-5.2.26-1.fc40.x86_64'],
    ['2026-01-01T00:00:00Z SUBDEBUG Installed: vim-minimal-2:9.1.1-1.el9.x86_64', 'vim-minimal-2:9.1.1-1.el9.x86_64'],
    ['2026-01-01T00:00:00Z INFO Upgraded: zlib-1.2.13-4.fc39.x86_64', 'zlib-1.2.13-4.fc39.x86_64'],
    ['2026-01-01T00:00:00Z SUBDEBUG Erase: bash-5.2.15-1.fc40.x86_64', null],
    ['2026-01-01T00:00:00Z SUBDEBUG Cleanup: bash-5.2.15-1.fc40.x86_64', null],
    ['2026-01-01T00:00:00Z INFO --- logging initialized ---', null],
  ])('%s', (line, told) => {
    expect(dnf?.(line)).toBe(told);
  });
});

describe('the log of pacman', () => {
  it.each([
    ['[2026-01-01T00:00:00+0000] [ALPM] installed vim (9.1.0-1)', 'vim 9.1.0-1'],
    ['[2026-01-01T00:00:00+0000] [ALPM] upgraded bash (5.2.1-1 -> 5.2.2-1)', 'bash 5.2.2-1'],
    ['[2026-01-01T00:00:00+0000] [ALPM] removed vim (9.1.0-1)', null],
    ['[2026-01-01T00:00:00+0000] [ALPM] transaction completed', null],
    ['[2026-01-01T00:00:00+0000] [PACMAN] Running ’pacman -S vim’', null],
  ])('%s', (line, told) => {
    expect(pacman?.(line)).toBe(told);
  });
});

it.each(PACKAGE_LOGS.map(({ path, parse }) => [path, parse] as const))(
  '%s: any line is read at once, and never throws',
  (_path, parse) => {
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), (line) => {
        const told = parse(line);
        expect(told === null || told.length <= line.length).toBe(true);
      }),
    );
  },
);

describe('describePackages', () => {
  it.each<[string[], string]>([
    [['a 1'], 'Package installed or updated: a 1'],
    [['a 1', 'a 1'], 'Package installed or updated: a 1'],
    [['a 1', 'b 2'], '2 packages installed or updated: a 1, b 2'],
    [['a', 'b', 'c', 'd', 'e'], '5 packages installed or updated: a, b, c, d, e'],
    [['a', 'b', 'c', 'd', 'e', 'f'], '6 packages installed or updated: a, b, c, d, e and 1 more'],
  ])('%j', (packages, text) => {
    expect(describePackages(packages)).toBe(text);
  });
});
