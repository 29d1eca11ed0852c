import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';
import type { Draft } from './drafts.ts';
import type { FormerDraft } from './former-drafts.ts';

interface OtherDraftsProps {
  drafts: readonly Draft[];
  /** Drafts of an earlier version of the page. */
  former: readonly FormerDraft[];
  disabled: boolean;
  onOpen(draft: Draft): void;
  /** Takes a former draft into the form. */
  onContinue(draft: FormerDraft): void;
  onDesk(draft: FormerDraft): void;
  onDiscard(draft: FormerDraft): void;
}

/** Offers, above the form, what else this browser keeps of the author's. */
export function OtherDrafts({
  drafts,
  former,
  disabled,
  onOpen,
  onContinue,
  onDesk,
  onDiscard,
}: OtherDraftsProps) {
  const texts = useLanguage().m.publish;
  if (drafts.length + former.length === 0) return null;
  const nameOf = (title = '') =>
    title.trim() ? texts.earlierDrafts.open(title.trim()) : texts.earlierDrafts.openUntitled;
  const quiet = { variant: 'quiet', size: 'small', disabled } as const;
  return (
    <nav aria-label={texts.earlierDrafts.heading} className="mb-10 border-b border-hairline">
      {drafts.map((draft) => (
        <div key={draft.id} className="border-t border-hairline py-1.5">
          <Button
            {...quiet}
            onClick={() => onOpen(draft)}
            className="-mx-3 text-left [overflow-wrap:anywhere]"
          >
            {nameOf(draft.title)}
          </Button>
        </div>
      ))}
      {former.map((draft) => (
        <div
          key={draft.id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-t border-hairline py-1.5"
        >
          {draft.isPlain ? (
            <Button
              {...quiet}
              onClick={() => onContinue(draft)}
              className="-mx-3 text-left [overflow-wrap:anywhere]"
            >
              {nameOf(draft.document.title)}
            </Button>
          ) : (
            <p className="[overflow-wrap:anywhere]">
              {draft.document.title?.trim() || texts.earlierDrafts.untitled}
            </p>
          )}
          <span className="flex flex-wrap gap-x-6">
            <Button {...quiet} onClick={() => onDesk(draft)} className="-mx-3">
              {texts.desk.action}
            </Button>
            <Button {...quiet} onClick={() => onDiscard(draft)} className="-mx-3">
              {texts.discardDraft}
            </Button>
          </span>
        </div>
      ))}
    </nav>
  );
}
