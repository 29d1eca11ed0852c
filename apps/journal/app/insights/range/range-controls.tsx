import { type InsightScope, MAX_INSIGHT_DAYS } from '@fabrica/contract';
import { useId, useState } from 'react';
import { Form, Link, useSearchParams } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { InsightsWords } from '../load-insights-messages.ts';
import { type AskedRange, presetRanges, readRange } from './day-range.ts';

export interface RangeControlsProps {
  asked: AskedRange;
  /** The day of UTC on which the page was opened. */
  today: string;
  /** What is shown; undefined for whoever has no choice. */
  scope: InsightScope | undefined;
  words: InsightsWords;
}

/** Which days, and for those who see all posts, whose. The address holds both. */
export function RangeControls({ asked, today, scope, words }: RangeControlsProps) {
  const texts = words.range;
  const presets = presetRanges(today);
  const names = ['week', 'month', 'quarter', 'year'] as const;
  const current = names.find((name) => presets[name].from === asked.from && presets[name].to === asked.to);
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-12 gap-y-6">
      <div className="grid gap-2">
        <Choices
          label={texts.label}
          choices={names.map((name) => ({
            label: texts[name],
            set: { ...presets[name] },
            current: name === current,
          }))}
        />
        {scope && (
          <Choices
            label={words.scope.label}
            choices={(['all', 'own'] as const).map((name) => ({
              label: words.scope[name],
              set: { scope: name },
              current: name === scope,
            }))}
          />
        )}
      </div>
      <DatesForm asked={asked} today={today} texts={texts} />
    </div>
  );
}

interface Choice {
  label: string;
  /** What it puts into the address; all else there stays. */
  set: Record<string, string>;
  current: boolean;
}

function Choices({ label, choices }: { label: string; choices: readonly Choice[] }) {
  const [query] = useSearchParams();
  return (
    <nav aria-label={label}>
      <ul className="-mx-3 flex flex-wrap">
        {choices.map((choice) => (
          <li key={choice.label}>
            <Link
              to={{ search: new URLSearchParams({ ...Object.fromEntries(query), ...choice.set }).toString() }}
              preventScrollReset
              aria-current={choice.current || undefined}
              className="flex min-h-11 items-center px-3 text-[0.9375rem] font-medium text-muted decoration-accent decoration-[1.5px] underline-offset-[0.5rem] hover:text-ink aria-[current]:text-ink aria-[current]:underline"
            >
              {choice.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Any other days. What is wrong with them is said by the address, so that a shared one says it too. */
function DatesForm({
  asked,
  today,
  texts,
}: Pick<RangeControlsProps, 'asked' | 'today'> & { texts: InsightsWords['range'] }) {
  const [query] = useSearchParams();
  const ids = { from: useId(), to: useId() };
  const [typed, setTyped] = useState({ from: asked.from, to: asked.to });
  const [shown, setShown] = useState(asked);
  if (shown.from !== asked.from || shown.to !== asked.to) {
    setShown(asked);
    setTyped({ from: asked.from, to: asked.to });
  }
  const { problem } = asked;
  const complaint =
    problem && (problem.kind === 'tooLong' ? texts.tooLong(MAX_INSIGHT_DAYS) : texts[problem.kind]);
  const focusWrong = () => {
    const wrong = readRange(new URLSearchParams(typed), today).problem;
    if (wrong) document.getElementById(ids[wrong.field])?.focus();
  };
  return (
    <Form
      method="get"
      noValidate
      preventScrollReset
      onSubmit={focusWrong}
      className="flex flex-wrap items-start gap-x-4 gap-y-4"
    >
      {[...query].map(
        ([name, value]) => !(name in typed) && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {(['from', 'to'] as const).map((field) => (
        <div key={field} className="w-40 max-sm:flex-1">
          <TextField
            id={ids[field]}
            type="date"
            name={field}
            label={texts[field]}
            max={today}
            value={typed[field]}
            error={problem?.field === field ? complaint : undefined}
            onChange={(event) => setTyped({ ...typed, [field]: event.target.value })}
          />
        </div>
      ))}
      <Button type="submit" variant="outline" className="h-11.5 max-sm:w-full sm:mt-6.5">
        {texts.show}
      </Button>
    </Form>
  );
}
