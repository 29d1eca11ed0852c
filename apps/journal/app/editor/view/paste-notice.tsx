import { shorten } from '../../../project/shorten.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { toast } from '../../ui/toasts.tsx';
import { useEditorMessages } from '../load-editor-messages.ts';
import type { PasteLosses } from '../paste/keep-meaning.ts';

/** Kinds of losses in the order in which they are named; hidden words were not seen where they were copied. */
const KINDS = ['struck', 'signs', 'equations', 'pictures', 'hidden'] as const;
const MAX_NAMED = 8;
const MAX_LETTERS = 60;

/** The id of the notice. */
const NOTICE = 'pasted';

/** Names what was copied and is not in the text, until its author closes the notice or pastes something else. */
export function showPasteLosses(losses: PasteLosses): void {
  if (KINDS.every((kind) => losses[kind].length === 0)) {
    toast.dismiss(NOTICE);
    return;
  }
  toast.error(<PasteNotice losses={losses} />, { id: NOTICE, duration: Number.POSITIVE_INFINITY });
}

function PasteNotice({ losses }: { losses: PasteLosses }) {
  const { language } = useLanguage();
  const m = useEditorMessages(language).pasted;
  const named = KINDS.filter((kind) => losses[kind].length > 0);
  return (
    <>
      {m.title}
      {named.map((kind) => (
        <span key={kind} className="block font-normal text-ink wrap-anywhere">
          {m[kind]}{' '}
          {losses[kind]
            .slice(0, MAX_NAMED)
            .map((words) => m.quote(shorten(words, MAX_LETTERS)))
            .join(', ')}
          {losses[kind].length > MAX_NAMED && ` ${m.more(losses[kind].length - MAX_NAMED)}`}
        </span>
      ))}
    </>
  );
}
