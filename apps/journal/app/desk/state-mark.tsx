import type { PostState } from './desk-client.ts';
import { useDeskMessages } from './use-desk.ts';

const LOOKS: Record<PostState, string> = {
  draft: 'border border-current text-muted',
  scheduled: 'border border-current bg-current/30 text-ink',
  published: 'bg-success text-success',
  unpublished: 'border border-current text-muted',
};

interface StateMarkProps {
  state: PostState;
  /** Whether to say of a published post that it has changes which readers do not see. */
  changed?: boolean;
  className?: string;
}

/** Names the state of a post, with a dot that is found at a glance in a list. */
export function StateMark({ state, changed = false, className = '' }: StateMarkProps) {
  const { states, editor } = useDeskMessages();
  return (
    <span className={`inline-flex items-center gap-2 whitespace-nowrap ${className}`}>
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${LOOKS[state]}`} />
      {changed && state === 'published' ? editor.publishedWithChanges : states[state]}
    </span>
  );
}
