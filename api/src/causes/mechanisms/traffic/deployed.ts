import { reasonText } from '../../../checks/rules/check-words.ts';
import { peerEntity } from '../../entities.ts';
import { isNamedIn, isWithoutPlace } from '../../deploy-marks.ts';
import { clock } from '../../figures.ts';
import { askedHost } from '../../graph.ts';
import { each, type Mechanism } from '../../mechanism.ts';
import type { ChangeSeen, CheckSeen } from '../../evidence.ts';

/** A fault of a new version is seen within this time. */
const AFTER_SECONDS = 900;
/** A mark is often set when the pipeline ends, so the check may have failed some minutes before. */
const BEFORE_SECONDS = 300;

interface Deployed {
  check: CheckSeen;
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
          isNamedIn(one.title, [check.name, askedHost(check)]),
      );
      const mark = near.toSorted((a, b) => b.at - a.at)[0];
      return mark === undefined ? [] : [{ check, mark }];
    }),
  ({ check, mark }) => ({
    entities: [peerEntity(askedHost(check))],
    finding: `${mark.title} was deployed at ${clock(mark.at)}${mark.by === null ? '' : ` by ${mark.by}`}, and ${check.name} fails since ${clock(check.since ?? mark.at)}.`,
    since: Math.min(mark.at, check.since ?? mark.at),
    change: mark,
    specificity: 'state',
    brings: ['failing'],
    evidence: [reasonText(check.reason, null, null)],
    against: ['Only its name and its time connect the deployment to the check.'],
    next: 'Look at the run of the pipeline, and go back to the version before if nothing else changed.',
    command: null,
  }),
)('deployed', 'Deployed shortly before', (one) => one);
