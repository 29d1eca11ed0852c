import { ChevronDown } from 'lucide-react';
import { Fragment, useMemo } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { useDeskMessages } from '../use-desk.ts';
import { foldUnchanged } from './fold-unchanged.ts';
import { type DiffPart, diffWords } from './word-diff.ts';

export interface WordDifferenceProps {
  before: string;
  after: string;
  /** Shows one of the texts with the words that it alone has, or the way from the first to the second in one text. */
  side?: 'before' | 'after' | 'both';
  lang?: string | undefined;
  /** The folded paragraphs that are open, by their index, where two sides open them together. */
  open?: ReadonlySet<number>;
  onToggle?(index: number, isOpen: boolean): void;
}

/**
 * Shows a text with the words marked that differ from another one: by colour, by line, and in words for screen readers. Many
 * paragraphs that have not changed are folded away.
 */
export function ComparedWords(props: WordDifferenceProps) {
  const { before, after, side = 'both', lang, open, onToggle } = props;
  const parts = useMemo(() => diffWords(before, after), [before, after]);
  return (
    <div lang={lang} className="font-serif leading-relaxed whitespace-pre-wrap [overflow-wrap:anywhere]">
      {parts.map((part, index) => {
        if (part.kind === 'same') {
          return (
            <Unchanged
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity
              key={index}
              text={part.text}
              beside={{ before: index > 0, after: index < parts.length - 1 }}
              open={open?.has(index)}
              onToggle={(isOpen) => onToggle?.(index, isOpen)}
            />
          );
        }
        if (part.kind === 'removed' && side === 'after') return null;
        if (part.kind === 'added' && side === 'before') return null;
        const isReplaced = part.kind === 'removed' && parts[index + 1]?.kind === 'added';
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Fragment key={index}>
            {side === 'both' ? <Changed {...part} /> : <Own text={part.text} />}
            {/* Old and new would be read as one: 4 and 9 as 49. */}
            {side === 'both' && isReplaced && !part.text.endsWith('\n') && ' '}
          </Fragment>
        );
      })}
    </div>
  );
}

interface UnchangedProps {
  text: string;
  beside: { before: boolean; after: boolean };
  open: boolean | undefined;
  onToggle(isOpen: boolean): void;
}

function Unchanged({ text, beside, open, onToggle }: UnchangedProps) {
  const texts = useDeskMessages().history;
  const { language } = useLanguage();
  const parts = foldUnchanged(text, beside);
  if (!parts) return <span>{text}</span>;
  return (
    <>
      {parts.start.trimEnd()}
      <details
        open={open}
        onToggle={({ currentTarget }) => onToggle(currentTarget.open)}
        className="group my-3"
      >
        <summary
          lang={language}
          className="flex min-h-11 items-center gap-2 border-y border-hairline font-sans text-sm text-muted hover:text-accent"
        >
          <ChevronDown
            aria-hidden="true"
            className="size-4 shrink-0 transition-transform group-open:rotate-180 motion-reduce:transition-none"
          />
          {texts.unchanged(parts.count)}
        </summary>
        <div className="py-3">{parts.folded.trimEnd()}</div>
      </details>
      {parts.end}
    </>
  );
}

/** Shows words that only one of two versions has. They are neither old nor new: the other one has not followed from it. */
function Own({ text }: { text: string }) {
  const texts = useDeskMessages().history;
  return (
    <mark className="bg-success/15 text-success">
      <span className="sr-only">[{texts.own}: </span>
      {text}
      <span className="sr-only">]</span>
    </mark>
  );
}

function Changed({ kind, text }: DiffPart) {
  const texts = useDeskMessages().history;
  const Mark = kind === 'removed' ? 'del' : 'ins';
  return (
    <Mark
      className={
        kind === 'removed'
          ? 'bg-error text-accent decoration-accent/60'
          : 'bg-success/15 text-success no-underline'
      }
    >
      <span className="sr-only">[{kind === 'removed' ? texts.removed : texts.added}: </span>
      {text}
      <span className="sr-only">]</span>
    </Mark>
  );
}
