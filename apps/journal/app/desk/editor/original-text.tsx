import { useId } from 'react';
import { useParams } from 'react-router';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import { lettersOf } from '../../../project/marks.ts';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { TitleField } from '../../ui/title-field.tsx';
import type { DeskDocument } from '../document.ts';
import { DeskText } from './desk-text.tsx';

interface OriginalTextProps {
  document: DeskDocument;
  /** Whether a model proposes descriptions of pictures here. */
  canDescribe: boolean;
  readOnly: boolean;
  /** Whether a blank field shows that it is missing. */
  isChecked: boolean;
  onChange(changes: Partial<DeskDocument>): void;
}

/** Edits the title and the text of the original. Its translations have pages of their own. */
export function OriginalText({ document, canDescribe, readOnly, isChecked, onChange }: OriginalTextProps) {
  const { m } = useLanguage();
  const { id: postId } = useParams();
  const { user } = useAuth();
  const textId = useId();
  const { titleField, contentField } = m.publish;
  const errorOf = (part: 'title' | 'content', error: string) =>
    isChecked && !document[part].trim() ? error : undefined;
  return (
    <>
      <TitleField
        label={titleField.label}
        error={errorOf('title', titleField.missing)}
        limit={DOCUMENT_LIMITS.title}
        lang={document.language ?? undefined}
        value={document.title}
        readOnly={readOnly}
        markdownNote={titleField.markdown}
        onTitle={(title) => onChange({ title })}
        onEnter={() => window.document.getElementById(textId)?.focus()}
        className="text-2xl!"
      />
      <DeskText
        id={textId}
        lang={document.language ?? undefined}
        text={document}
        letters={lettersOf([document.cover, ...document.pictures])}
        error={errorOf('content', contentField.missing)}
        canDescribe={canDescribe}
        undoKey={user && postId ? `${user.id}:${postId}` : undefined}
        readOnly={readOnly}
        onChange={onChange}
      />
    </>
  );
}
