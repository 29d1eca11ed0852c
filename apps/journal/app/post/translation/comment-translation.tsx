import { FabricaError } from '@fabrica/client';
import { Languages } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import type { PostComment } from '../../../project/entities.ts';
import type { Language } from '../../../project/languages.ts';
import type { Finding } from '../../../project/translations.ts';
import { useClient } from '../../client/client-context.tsx';
import { describeTooMany } from '../../client/too-many.ts';
import { guessLanguage } from '../../language/guess-language.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { PlainText } from '../../ui/plain-text.tsx';
import { useBusy } from '../../ui/use-busy.ts';
import { useReadingMessages } from './load-reading-messages.ts';

interface CommentTranslationProps {
  comment: Pick<PostComment, 'id' | 'content'>;
  /** The name that stands above the comment. */
  author: string;
  /** Is called with the language of a comment that is in another one than the page. */
  onLanguage(language: Language): void;
  className: string;
}

interface Translated {
  content: string;
  language: Language;
  text: string;
  findings: Finding[];
}

/** Offers the translation of a comment that is in another language than the page. The comment itself stays where it is. */
export function CommentTranslation({ comment, author, onLanguage, className }: CommentTranslationProps) {
  const { m, language } = useLanguage();
  const texts = useReadingMessages().comment;
  const client = useClient();
  const [translated, setTranslated] = useState<Translated | null>(null);
  const [isShown, setShown] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const { busy, run } = useBusy<'translate'>(setFailure);
  const isBusy = busy !== undefined;
  const id = useId();
  const { content } = comment;
  const written = guessLanguage(content);
  const isForeign = written !== undefined && written !== language;
  useEffect(() => {
    if (isForeign) onLanguage(written);
  }, [isForeign, written, onLanguage]);
  if (!isForeign) return null;

  // Another language of the page, and a comment that was changed, have a translation of their own.
  const known = translated?.content === content && translated.language === language ? translated : null;
  const isOpen = isShown && known !== null;
  const toggle = async () => {
    if (isBusy) return;
    setFailure(undefined);
    setShown(!isOpen);
    if (known) return;
    await run('translate', async () => {
      const path = `/api/desk/${encodeURIComponent(client.projectId)}/comments/${encodeURIComponent(comment.id)}/translation`;
      const body = await client.request({ method: 'POST', path, json: { language } });
      setTranslated({ ...(body as Omit<Translated, 'content' | 'language'>), content, language });
    });
  };
  const describeFailure = (error: unknown) => {
    const isOver = error instanceof FabricaError && error.code === 'AI_QUOTA_EXCEEDED';
    return describeTooMany(error, { m, language }) ?? (isOver ? texts.quota : texts.failed);
  };
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        aria-busy={isBusy || undefined}
        aria-label={isBusy || isOpen ? undefined : texts.named(author)}
        onClick={() => void toggle()}
        className={`${className} unscripted:hidden`}
      >
        <Languages aria-hidden="true" className="size-4" />
        {isBusy ? texts.translating : isOpen ? texts.hide : texts.translate}
      </button>
      <div id={id} role="status" className="basis-full pl-2.5">
        {failure !== undefined && <p className="text-sm text-accent">{describeFailure(failure)}</p>}
        {isOpen && (
          <div className="border-l-2 border-hairline pl-4">
            <p className="text-sm text-muted">{texts.by}</p>
            {known.findings.length > 0 && <p className="text-sm font-medium text-accent">{texts.differs}</p>}
            <div className="plain-text leading-relaxed [overflow-wrap:anywhere]">
              <PlainText text={known.text} />
            </div>
          </div>
        )}
      </div>
    </>
  );
}
