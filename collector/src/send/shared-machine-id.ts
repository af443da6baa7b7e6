const MOST_NAMES = 10;
const NAME_LENGTH = 253;

/** Returns the names of an answer, checked: the server's texts are not trusted to be short. */
export const sharedNames = (value: unknown): string[] =>
  Array.isArray(value)
    ? value
        .filter((name): name is string => typeof name === 'string' && name !== '')
        .slice(0, MOST_NAMES)
        .map((name) => name.slice(0, NAME_LENGTH))
    : [];

export const sharedText = (names: readonly string[]): string =>
  `this machine shares its machine id with ${names.join(', ')}, as a clone of a template does`;

/** The collector keeps its own identity meanwhile, so nothing is lost. */
export const SHARED_REMEDY =
  'Give one of them an id of its own: rm /etc/machine-id && systemd-machine-id-setup. Then enrol it again ' +
  '(plimsoll enrol --token TOKEN) and delete its old server in the dashboard';
