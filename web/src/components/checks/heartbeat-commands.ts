/** Shell lines by which a job calls its heartbeat. */
interface HeartbeatCommands {
  /** Calls after a good end only. */
  short: string;
  /** Reports start, exit status and the end of the output, so that the page shows duration and output. */
  whole: string;
}

/** The API reads at most 10 KiB of a call. */
const OUTPUT_BYTES = 10_000;

/** Returns the lines for a key; its characters need no quotes. `$?` is read before tail runs, so it is that of the job. */
export function heartbeatCommands(origin: string, key: string): HeartbeatCommands {
  const url = `${origin.replace(/\/$/, '')}/api/heartbeats/${key}`;
  return {
    short: `backup.sh && curl -fsS -X POST ${url}`,
    whole: [
      `curl -fsS -X POST ${url}/start`,
      `backup.sh >log 2>&1; tail -c ${String(OUTPUT_BYTES)} log | curl -fsS -X POST --data-binary @- ${url}/$?`,
    ].join('\n'),
  };
}
