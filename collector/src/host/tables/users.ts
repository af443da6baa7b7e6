import type { Files } from '../../runtime/files.ts';

/** Name of a user id; the number itself when nobody has it (a container's user). */
export type UserName = (uid: number) => string;

/** Reads /etc/passwd once, and again when an id is unknown, at most once in `retrySeconds` of reading time. */
export function userNames(files: Files, up: () => number, retrySeconds = 60): UserName {
  let names = new Map<number, string>();
  let others = new Map<number, string>();
  let readAt = -Infinity;
  return (uid) => {
    const known = names.get(uid);
    if (known !== undefined) return known;
    if (up() - readAt >= retrySeconds) {
      readAt = up();
      names = parsePasswd(files.optional('etc/passwd') ?? '');
      others = new Map();
    }
    const name = names.get(uid) ?? others.get(uid) ?? dynamicUser(files, uid) ?? String(uid);
    if (!names.has(uid)) others.set(uid, name);
    return name;
  };
}

/** Returns the name of a user that systemd made for a service (DynamicUser of systemd.exec(5)); null if it made none. */
const dynamicUser = (files: Files, uid: number): string | null =>
  files.link(`run/systemd/dynamic-uid/direct:${String(uid)}`) || null;

export function parsePasswd(text: string): Map<number, string> {
  const names = new Map<number, string>();
  for (const line of text.split('\n')) {
    const [name, , uid] = line.split(':');
    if (name !== undefined && uid !== undefined && /^\d+$/.test(uid) && !names.has(Number(uid)))
      names.set(Number(uid), name);
  }
  return names;
}
