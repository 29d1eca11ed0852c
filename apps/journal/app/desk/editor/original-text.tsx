import { useParams } from 'react-router';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import { useAuth } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import type { DeskDocument } from '../document.ts';
import { DeskText } from './desk-text.tsx';

export interface OriginalTextProps {
  document: DeskDocument;
  /** Whether a model proposes descriptions of pictures here. */
  canDescribe: boolean;
  readOnly: boolean;
  onChange(changes: Partial<DeskDocument>): void;
}

/** Edits the title and the text of the original. Its translations have pages of their own. */
export function OriginalText({ document, canDescribe, readOnly, onChange }: OriginalTextProps) {
  const { m } = useLanguage();
  const { id: postId } = useParams();
  const { user } = useAuth();
  return (
    <>
      {/* It is one line of text, which is shown whole on a phone. */}
      <TextArea
        label={m.publish.titleField.label}
        limit={DOCUMENT_LIMITS.title}
        lang={document.language ?? undefined}
        value={document.title}
        readOnly={readOnly}
        rows={1}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.preventDefault();
        }}
        onChange={({ target }) => onChange({ title: target.value.replace(/\s*[\r\n]+\s*/g, ' ') })}
        className="field-sizing-content min-h-11 resize-none font-serif text-2xl! leading-snug!"
      />
      <DeskText
        lang={document.language ?? undefined}
        text={document}
        canDescribe={canDescribe}
        undoKey={user && postId ? `${user.id}:${postId}` : undefined}
        readOnly={readOnly}
        onChange={onChange}
      />
    </>
  );
}
