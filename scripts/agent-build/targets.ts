/** A platform the collector is built for. */
export interface Target {
  /** As it stands in /agent/VERSION/TARGET and in the names of the kits. */
  name: string;
  /** Name for `bun build --target`. */
  bunTarget: string;
  /** The npm package that carries Bun's runtime for it; its version and integrity stand in package-lock.json. */
  package: string;
}

const target = (name: string, machine: string): Target => ({
  name,
  bunTarget: `bun-${name}`,
  package: `@oven/bun-${machine}`,
});

export const targets: readonly Target[] = [
  target('linux-x64', 'linux-x64'),
  target('linux-arm64', 'linux-aarch64'),
  target('linux-x64-musl', 'linux-x64-musl'),
  target('linux-arm64-musl', 'linux-aarch64-musl'),
  target('darwin-x64', 'darwin-x64'),
  target('darwin-arm64', 'darwin-aarch64'),
];

/** Throws naming the known targets when one is not among them. */
export function targetsNamed(names: readonly string[]): Target[] {
  return names.map((name) => {
    const found = targets.find((candidate) => candidate.name === name);
    if (!found) throw new Error(`no target "${name}"; there are ${targets.map((known) => known.name).join(', ')}`);
    return found;
  });
}
