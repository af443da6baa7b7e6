import { reasonText } from '../../../checks/rules/check-words.ts';
import { askedPeer } from '../../entities.ts';
import { isNamedIn, isWithoutPlace } from '../../deploy-marks.ts';
import { clock } from '../../figures.ts';
import { each, type Mechanism } from '../../mechanism.ts';
import type { ChangeSeen, CheckSeen } from '../../evidence.ts';

/** A fault of a new version is seen within this time. */
const AFTER_SECONDS = 900;
/** A mark is often set when the pipeline ends, so the check may have failed some minutes before. */
const BEFORE_SECONDS = 300;

interface Deployed {
  check: CheckSeen;
  since: number;
  mark: ChangeSeen;
}
/** A pipeline deployed what a failing check measures. Whatever is recognised in the place itself says more. */
export const deployed: Mechanism = each<Deployed, Deployed>(
  ({ evidence: { checks, changes } }) =>
    checks.flatMap((check) => {
      const since = check.since;
      if (since === null || check.status !== 'down') return [];
      const near = changes.filter(
        (one) =>
          isWithoutPlace(one) &&
          one.at <= since + BEFORE_SECONDS &&
          one.at >= since - AFTER_SECONDS &&
          isNamedIn(one.title, [check.name, askedPeer(check).name]),
      );
      const mark = near.toSorted((a, b) => b.at - a.at)[0];
      return mark === undefined ? [] : [{ check, since, mark }];
    }),
  ({ check, since, mark }) => ({
    entities: [askedPeer(check)],
    finding: `${mark.title} was deployed at ${clock(mark.at)}${mark.by === null ? '' : ` by ${mark.by}`}, and ${check.name} fails since ${clock(since)}.`,
    since: Math.min(mark.at, since),
    change: mark,
    specificity: 'state',
    brings: ['failing'],
    evidence: [reasonText(check.reason, null, null)],
    against: ['Only its name and its time connect the deployment to the check.'],
    next: 'Look at the run of the pipeline, and go back to the version before if nothing else changed.',
    command: null,
  }),
)('deployed', 'Deployed shortly before', (one) => one);
