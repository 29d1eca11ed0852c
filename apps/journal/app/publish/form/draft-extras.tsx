import { Suspense } from 'react';
import { Link } from 'react-router';
import { SaveState } from '../../desk/editor/save-state.tsx';
import { FocalPoint } from '../../desk/fields/focal-point.tsx';
import { MoreFields } from '../../desk/fields/more-fields.tsx';
import type { SaveStatus } from '../../desk/saving/working-copy.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import { useObjectUrl } from '../../ui/use-object-url.ts';
import type { DraftState } from '../draft/use-draft.ts';

export interface DraftMoreProps {
  draft: DraftState;
  /** Whether a model proposes descriptions of pictures here. */
  canDescribe: boolean;
  readOnly: boolean;
}

/** Holds what most posts do without, behind one quiet line. Its texts load by themselves, after the form. */
export function DraftMore({ draft: { details, image, setTexts }, canDescribe, readOnly }: DraftMoreProps) {
  const src = useObjectUrl(image);
  return (
    <Suspense fallback={<div className="min-h-17 border-y border-hairline" />}>
      <MoreFields
        details={details}
        words={details}
        described={(canDescribe && image) || undefined}
        readOnly={readOnly}
        canEditByline
        onChange={(changes) => setTexts({ details: { ...details, ...changes } })}
        onChangeWords={(changes) => setTexts({ details: { ...details, ...changes } })}
      >
        {src && (
          <FocalPoint
            src={src}
            focal={details.focal}
            disabled={readOnly}
            onChange={(focal) => setTexts({ details: { ...details, focal } })}
          />
        )}
      </MoreFields>
    </Suspense>
  );
}

export interface DraftSavedProps {
  status: SaveStatus | undefined;
  /** The id of the draft on the server. */
  postId: string | undefined;
}

/** Says whether the server has the draft. One that was changed on another device is found on the desk, beside this one. */
export function DraftSaved({ status, postId }: DraftSavedProps) {
  const { m } = useLanguage();
  if (!status || status.name === 'session-ended') return null;
  if (status.name === 'stale') {
    return (
      <p role="alert" className="text-sm text-accent">
        {m.publish.failure.stale}{' '}
        <Link to={`/admin/posts/${postId}`} className="text-link">
          {m.post.edit}
        </Link>
      </p>
    );
  }
  return (
    <Suspense>
      <SaveState status={status} />
    </Suspense>
  );
}
