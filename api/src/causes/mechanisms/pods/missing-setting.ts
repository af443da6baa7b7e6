import { nameOf } from '../../entities.ts';
import type { Mechanism } from '../../mechanism.ts';
import { anyMissingSetting, missingSetting, quoted } from '../../words.ts';
import { eachWorkload, isInTrouble, POD_TROUBLE, textsOf, undoCommand } from '../../workload-states.ts';

const NAME = /\.env\.(.{1,253})$/;

/** A variable was removed, or the program says that one is not set. */
export const missingSettingOfPod: Mechanism = {
  id: 'missing_setting',
  title: 'A setting is missing',
  needs: ['pods'],
  recognise: eachWorkload((workload, moment) => {
    if (!isInTrouble(workload, moment)) return null;
    const removals = moment.changesOf(workload.ref).flatMap((change) => {
      const names = change.fields.flatMap(({ field, was }) =>
        was === 'removed' ? [NAME.exec(field)?.[1] ?? []].flat() : [],
      );
      return names.length === 0 ? [] : [{ change, names }];
    });
    const removed = removals.flatMap(({ names }) => names);
    const [said] = textsOf(
      workload,
      moment,
      (text) => missingSetting(text, removed) !== null || anyMissingSetting(text) !== null,
    );
    const setting = said === undefined ? null : (missingSetting(said.text, removed) ?? anyMissingSetting(said.text));
    const name = setting ?? removed[0];
    if (name === undefined) return null;
    const change = removals.find(({ names }) => names.includes(name))?.change ?? removals[0]?.change;
    return {
      entities: [workload.entity],
      finding: `${nameOf(workload.entity)} misses the variable ${name}.`,
      since: change?.at ?? said?.at ?? null,
      change,
      specificity: said !== undefined && change !== undefined ? 'stated' : 'broken',
      brings: POD_TROUBLE,
      evidence: said === undefined ? [`${name} was removed`] : [{ text: quoted(said.text), at: said.at }],
      next: `Set ${name} again.`,
      command: change === undefined ? null : undoCommand(workload),
    };
  }),
};
