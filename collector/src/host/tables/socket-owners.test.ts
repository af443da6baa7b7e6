import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { fakeFiles } from '../../testing/captured.ts';
import type { Files } from '../../runtime/files.ts';
import { socketOwners } from './socket-owners.ts';

type Host = Record<number, readonly number[]>;

/** A host whose processes hold the sockets given by inode, behind a descriptor that is none. */
function hostOf(processes: Host): { files: Files; reads: () => number } {
  let reads = 0;
  const links = new Map<string, string>();
  for (const [pid, inodes] of Object.entries(processes)) {
    links.set(`proc/${pid}/fd/0`, '/dev/null');
    for (const [index, inode] of inodes.entries()) links.set(`proc/${pid}/fd/${index + 1}`, `socket:[${inode}]`);
  }
  const below = fakeFiles({ ...Object.fromEntries([...links.keys()].map((path) => [path, ''])), 'proc/meminfo': '' });
  const link = (path: string): string | null => {
    reads += 1;
    return links.get(path) ?? null;
  };
  return { files: { ...below, link }, reads: () => reads };
}
const ownersOf = (host: Host, inodes: number[]) => Object.fromEntries(socketOwners(hostOf(host).files).find(inodes));

it('a socket of several processes belongs to the youngest: a server hands its listener on to workers', () => {
  expect(ownersOf({ 10: [5], 20: [5], 30: [5] }, [5])).toEqual({ 5: 30 });
});

it('asks about no inode that is none', () => {
  const { files, reads } = hostOf({ 10: [5] });
  expect([...socketOwners(files).find([0, -1])]).toEqual([]);
  expect(reads()).toBe(0);
});

it('takes only sockets: a pipe or a file with the same number is another thing', () => {
  const files = fakeFiles({ 'proc/10/fd/3': '' });
  for (const target of ['pipe:[5]', 'anon_inode:[5]', '/socket:[5]', 'socket:5', 'socket:[five]', '']) {
    const owners = socketOwners({ ...files, link: () => target });
    expect([target, owners.find([5]).get(5)]).toEqual([target, -1]);
  }
});

it('asks the processes that hold sockets already before all others', () => {
  const { files } = hostOf({ 10: [5, 6], 900: [], 901: [], 902: [] });
  const owners = socketOwners(files, 8);
  expect(Object.fromEntries(owners.find([5]))).toEqual({ 5: 10 });
  expect(Object.fromEntries(owners.find([5, 6]))).toEqual({ 5: 10, 6: 10 });
});

it('forgets a socket that is gone, so that its number can be another’s', () => {
  const host: Record<number, number[]> = { 10: [5] };
  let { files } = hostOf(host);
  const owners = socketOwners({
    ...files,
    list: (path) => files.list(path),
    link: (path) => files.link(path),
  });
  expect(owners.find([5]).get(5)).toBe(10);
  expect([...owners.find([])]).toEqual([]);
  ({ files } = hostOf({ 20: [5] }));
  expect(owners.find([5]).get(5)).toBe(20);
});

it('finds every socket of any host in the end, however little it may look at one time', () => {
  const inode = fc.integer({ min: 1, max: 500 });
  const processes = fc.dictionary(fc.integer({ min: 1, max: 40 }).map(String), fc.array(inode, { maxLength: 4 }));
  fc.assert(
    fc.property(processes, fc.integer({ min: 1, max: 30 }), (host, most) => {
      const owners = socketOwners(hostOf(host).files, most);
      const wanted = [...new Set(Object.values(host).flat())];
      for (let turn = 0; turn < 60; turn += 1) owners.find(wanted);
      const found = owners.find(wanted);
      for (const one of wanted) {
        const pid = found.get(one) ?? 0;
        expect([one, host[String(pid) as unknown as number]?.includes(one)]).toEqual([one, true]);
      }
    }),
    { numRuns: 60 },
  );
});
