import { Link } from 'react-router';
import type { Language } from '../../../../project/languages.ts';
import { buttonClass } from '../../../ui/button-class.ts';
import { FailedStatement, Statement } from '../../statement.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import { TranslationPage } from './translation-page.tsx';
import { useTranslation } from './use-translation.ts';

interface TranslationScreenProps {
  userId: string;
  postId: string;
  language: Language;
}

/** Loads the translation of a post into a language and shows it. */
export function TranslationScreen({ userId, postId, language }: TranslationScreenProps) {
  const { editor, translations: texts } = useDeskMessages();
  const name = { postId, language };
  const loaded = useTranslation(name);
  const { data } = loaded;
  if (loaded.status === 'failed') {
    return <FailedStatement title={texts.failed} onRetry={loaded.reload} />;
  }
  if (data === 'missing') {
    return (
      <Statement title={editor.missing.title} text={editor.missing.text}>
        <Link to="/admin/posts" className={`${buttonClass({ variant: 'outline' })} mt-3`}>
          {editor.back}
        </Link>
      </Statement>
    );
  }
  // What another language showed until now is none of this one.
  if (data?.translation.language !== language) {
    return (
      <>
        <p role="status" className="sr-only">
          {texts.loading}
        </p>
        <TranslationSkeleton />
      </>
    );
  }
  return (
    <TranslationPage
      key={`${postId} ${language}`}
      userId={userId}
      name={name}
      shown={data}
      onSegment={loaded.setSegment}
      onChanged={loaded.refresh}
    />
  );
}

/** Reserves the place of a translation until it is loaded. */
export function TranslationSkeleton() {
  return (
    <div className="grid gap-6 pt-6 unscripted:hidden">
      <div className="skeleton h-14 max-w-2xl" />
      <div className="skeleton h-11" />
      {[0, 1, 2].map((row) => (
        <div key={row} className="skeleton h-32" />
      ))}
    </div>
  );
}
