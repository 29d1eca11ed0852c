import { useId } from 'react';
import { useParams, useRouteLoaderData } from 'react-router';
import { DOCUMENT_LIMITS } from '../../../project/document-limits.ts';
import { useAuth, useClient } from '../../client/client-context.tsx';
import { type FormattedText, TextEditor } from '../../editor/text-editor.tsx';
import { uploadPicture } from '../../editor/upload-picture.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { findSource } from '../../references/find-source.ts';
import type { Source } from '../../references/source.ts';
import type { DeskDocument } from '../document.ts';

export interface DeskTextProps {
  label: string;
  lang: string | undefined;
  value: string;
  document: DeskDocument;
  readOnly: boolean;
  onChange(changes: Partial<DeskDocument>): void;
}

/** Edits the text of a post, with pictures and with the references of the post. */
export function DeskText({ label, lang, value, document, readOnly, onChange }: DeskTextProps) {
  const client = useClient();
  const { storage } = client;
  const { m } = useLanguage();
  const id = useId();
  const { id: postId } = useParams();
  const { user } = useAuth();
  const page = useRouteLoaderData<{ publicUrl: string; storageOrigin: string }>('root');
  const origins = [page?.publicUrl ?? '', page?.storageOrigin ?? ''];

  return (
    <TextEditor
      id={id}
      label={label}
      lang={lang}
      limit={DOCUMENT_LIMITS.content}
      undoKey={user && postId ? `${user.id}:${postId}:${label}` : undefined}
      value={value}
      format={document.contentFormat}
      readOnly={readOnly}
      onChange={({ value: content, format }: FormattedText) => onChange({ content, contentFormat: format })}
      onImage={(file) =>
        uploadPicture(file, {
          storage,
          origins: [window.location.origin, ...origins],
          words: m.publish.image,
        })
      }
      onFindSource={(identifier) => findSource(identifier, client)}
      // The server takes any CSL-JSON; the editor shows the fields that it knows.
      sources={document.sources as unknown as readonly Source[]}
      onSourcesChange={(sources) => onChange({ sources: sources as unknown as DeskDocument['sources'] })}
    />
  );
}
