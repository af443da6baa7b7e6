import { useState } from 'react';
import { escapeInvisible } from '../../format/escape-invisible.ts';
import { Check } from './check.tsx';
import { LabelledInput } from './labelled-input.tsx';
import { PickList, ticked } from './pick-list.tsx';

interface NamePicksProps {
  /** "Checks". */
  title: string;
  /** Name of the list for screen readers. */
  name: string;
  options: readonly { id: string; name: string }[];
  chosen: readonly string[];
  problem: string | undefined;
  onChange: (chosen: readonly string[]) => void;
}

/** Boxes to tick, one for each name, with a filter above them. */
export function NamePicks({ title, name, options, chosen, problem, onChange }: NamePicksProps) {
  const [search, setSearch] = useState('');
  const words = search.toLowerCase().split(' ');
  const matching = options.filter((option) => words.every((word) => option.name.toLowerCase().includes(word)));
  return (
    <>
      <LabelledInput
        label={`${title} (${chosen.length} chosen)`}
        type="search"
        placeholder="Filter by name"
        value={search}
        problem={problem}
        onChange={(event) => setSearch(event.target.value)}
      />
      <PickList
        name={name}
        items={matching}
        empty="No name matches."
        renderRow={(option) => (
          <li key={option.id}>
            <Check checked={chosen.includes(option.id)} onChange={(on) => onChange(ticked(chosen, option.id, on))}>
              {escapeInvisible(option.name)}
            </Check>
          </li>
        )}
      />
    </>
  );
}
