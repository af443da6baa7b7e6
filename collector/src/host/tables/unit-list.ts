/** A service as its manager describes it: systemd, or launchd on macOS. */
export interface UnitSeen {
  name: string;
  /** active, inactive, failed, activating … */
  state: string;
  subState: string | null;
  restarts: number | null;
  /** Why the last run ended: success, exit-code, signal, core-dump, oom-kill, timeout … */
  result: string | null;
  /** Changes at each start; null when unknown. */
  startedMark: number | null;
  mainPid: number | null;
}
