const minorOf = (version: string): readonly [number, number] | null => {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version) ?? [];
  return major === undefined || minor === undefined ? null : [Number(major), Number(minor)];
};

/** Returns true if an agent is older than the minor version of the API; false for a version that is not known. */
export function isOutdated(version: string | null, apiVersion: string): boolean {
  const [agent, api] = [minorOf(version ?? ''), minorOf(apiVersion)];
  if (agent === null || api === null) return false;
  return agent[0] < api[0] || (agent[0] === api[0] && agent[1] < api[1]);
}
