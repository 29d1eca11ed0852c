import { Suspense, useId, useMemo } from 'react';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import { isLanguage } from '../../../project/languages.ts';
import { keepStoredFields } from '../../../references/keep-stored-fields.ts';
import { readStoredSource } from '../../../references/read-stored-source.ts';
import { useClient } from '../../client/client-context.tsx';
import { TextEditor } from '../../editor/text-editor.tsx';
import type { TextEditorProps } from '../../editor/text-editor-props.ts';
import { uploadPicture } from '../../editor/upload-picture.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { DeskDocument } from '../document.ts';
import { ProposedDescription } from '../fields/proposed-description.tsx';
import { findSource } from './find-source.ts';

type TextOfDocument = Pick<DeskDocument, 'content' | 'contentFormat' | 'sources'>;

export interface DeskTextProps
  extends Pick<TextEditorProps, 'hint' | 'error' | 'lang' | 'readOnly' | 'undoKey' | 'ref'> {
  id?: string;
  text: TextOfDocument;
  /** The letters of the marks on the post's pictures. */
  letters?: readonly string[];
  /** Whether a model proposes descriptions of pictures here. */
  canDescribe: boolean;
  onChange(changes: Partial<TextOfDocument>): void;
}

/** Edits the text of a post, with pictures and with the references of the post. */
export function DeskText({ id, text, letters, canDescribe, onChange, ...props }: DeskTextProps) {
  const client = useClient();
  const { storage } = client;
  const { m, language } = useLanguage();
  const ownId = useId();
  // The server takes any CSL-JSON; the editor shows the fields that it knows.
  const sources = useMemo(() => text.sources.map(readStoredSource), [text.sources]);

  return (
    <TextEditor
      {...props}
      id={id ?? ownId}
      label={m.publish.contentField.label}
      limit={DOCUMENT_LIMITS.content}
      value={text.content}
      format={text.contentFormat}
      onChange={({ value: content, format }) => onChange({ content, contentFormat: format })}
      onImage={(file) => uploadPicture(file, { storage, words: m.publish.image })}
      offerDescription={
        canDescribe
          ? ({ url, onUse }) => (
              <Suspense>
                <ProposedDescription
                  picture={url}
                  onUse={onUse}
                  language={isLanguage(props.lang) ? props.lang : language}
                />
              </Suspense>
            )
          : undefined
      }
      onFindSource={(identifier) => findSource(identifier, client)}
      letters={letters}
      sources={sources}
      onSourcesChange={(changed) => onChange({ sources: keepStoredFields(changed, text.sources) })}
    />
  );
}
