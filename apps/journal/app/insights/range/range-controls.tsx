import { type InsightScope, MAX_INSIGHT_DAYS } from '@fabrica/contract';
import { useId, useState } from 'react';
import { Form, Link, useSearchParams } from 'react-router';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { InsightsMessages } from '../load-insights-messages.ts';
import { presetRanges, type RequestedRange, readRange } from './day-range.ts';

export interface RangeControlsProps {
  requested: RequestedRange;
  /** The UTC day on which the page was opened. */
  today: string;
  /** The scope that is shown; undefined when the user has no choice. */
  scope: InsightScope | undefined;
  texts: InsightsMessages;
}

/** Lets the user choose the range and, if permitted, the scope. Both are kept in the URL. */
export function RangeControls({ requested, today, scope, texts }: RangeControlsProps) {
  const presets = presetRanges(today);
  const names = ['week', 'month', 'quarter', 'year'] as const;
  const current = names.find(
    (name) => presets[name].from === requested.from && presets[name].to === requested.to,
  );
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-12 gap-y-6">
      <div className="grid gap-2">
        <Choices
          label={texts.range.label}
          choices={names.map((name) => ({
            label: texts.range[name],
            set: { ...presets[name] },
            current: name === current,
          }))}
        />
        {scope && (
          <Choices
            label={texts.scope.label}
            choices={(['all', 'own'] as const).map((name) => ({
              label: texts.scope[name],
              set: { scope: name },
              current: name === scope,
            }))}
          />
        )}
      </div>
      <DatesForm requested={requested} today={today} texts={texts.range} />
    </div>
  );
}

interface Choice {
  label: string;
  /** The search parameters that it sets. The others stay as they are. */
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

/** Takes any other range. A problem is found in the URL, so that a shared URL shows it too. */
function DatesForm({
  requested,
  today,
  texts,
}: Pick<RangeControlsProps, 'requested' | 'today'> & { texts: InsightsMessages['range'] }) {
  const [query] = useSearchParams();
  const ids = { from: useId(), to: useId() };
  const [typed, setTyped] = useState({ from: requested.from, to: requested.to });
  const [shown, setShown] = useState(requested);
  if (shown.from !== requested.from || shown.to !== requested.to) {
    setShown(requested);
    setTyped({ from: requested.from, to: requested.to });
  }
  const { problem } = requested;
  const error =
    problem && (problem.kind === 'tooLong' ? texts.tooLong(MAX_INSIGHT_DAYS) : texts[problem.kind]);
  const focusInvalid = () => {
    const invalid = readRange(new URLSearchParams(typed), today).problem;
    if (invalid) document.getElementById(ids[invalid.field])?.focus();
  };
  return (
    <Form
      method="get"
      noValidate
      preventScrollReset
      onSubmit={focusInvalid}
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
            error={problem?.field === field ? error : undefined}
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
