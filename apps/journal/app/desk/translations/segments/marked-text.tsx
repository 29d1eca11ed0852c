import { Fragment } from 'react';
import type { Excerpt, Finding, TranslatedSegment } from '../../../../project/translations.ts';

/** What is marked in a text: by its severity. */
type Marked = Pick<Finding, 'severity' | 'source' | 'target'>;

/** Returns what is marked of a segment: what the guard has found, and the second reader. */
export function marksOf({ findings, reading }: TranslatedSegment): Marked[] {
  const differences = reading?.differences ?? [];
  return [...findings, ...differences.map((difference) => ({ ...difference, severity: 'doubt' as const }))];
}

interface MarkedTextProps {
  text: string;
  lang: string | undefined;
  findings: readonly Marked[];
  side: 'source' | 'target';
  /** Read before and after a stretch that is marked. */
  label: string;
}

const LOOKS: Record<Finding['severity'], string> = {
  block: 'bg-error font-medium text-accent',
  doubt: 'bg-transparent text-ink',
  warning: 'bg-transparent text-ink decoration-dotted',
};

/** Shows a segment with what was found marked in its place: by colour, by line, and in words for screen readers. */
export function MarkedText({ text, lang, findings, side, label }: MarkedTextProps) {
  return (
    <p
      lang={lang}
      className="font-serif text-[1.0625rem] leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]"
    >
      {splitByFindings(text, findings, side).map(({ words, start, severity }) =>
        severity === undefined ? (
          <Fragment key={start}>{words}</Fragment>
        ) : (
          <mark
            key={start}
            data-severity={severity}
            className={`underline decoration-2 underline-offset-4 ${LOOKS[severity]}`}
          >
            <span className="sr-only">[{label}: </span>
            {words}
            <span className="sr-only">]</span>
          </mark>
        ),
      )}
    </p>
  );
}

interface Part {
  words: string;
  start: number;
  severity: Finding['severity'] | undefined;
}

/** Splits a text at the stretches of its findings. Of two that overlap, the more severe one is marked, or else the first. */
function splitByFindings(text: string, findings: readonly Marked[], side: 'source' | 'target'): Part[] {
  const order = { block: 0, doubt: 1, warning: 2 };
  const marks: (Excerpt & Pick<Finding, 'severity'>)[] = [];
  const sorted = [...findings].sort((one, other) => order[one.severity] - order[other.severity]);
  for (const { severity, [side]: stretch } of sorted) {
    const fits = stretch && stretch.start < stretch.end && stretch.end <= text.length;
    const isFree = fits && marks.every(({ start, end }) => stretch.end <= start || stretch.start >= end);
    if (isFree) marks.push({ ...stretch, severity });
  }
  const parts: Part[] = [];
  let place = 0;
  for (const { start, end, severity } of marks.sort((one, other) => one.start - other.start)) {
    parts.push({ words: text.slice(place, start), start: place, severity: undefined });
    parts.push({ words: text.slice(start, end), start, severity });
    place = end;
  }
  return [...parts, { words: text.slice(place), start: place, severity: undefined }].filter(
    ({ words }) => words !== '',
  );
}
