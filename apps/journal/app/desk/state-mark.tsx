import type { PostState } from './desk-client.ts';
import { useDeskMessages } from './use-desk.ts';

const LOOKS: Record<PostState, string> = {
  draft: 'border border-current text-muted',
  scheduled: 'border border-current bg-current/30 text-ink',
  published: 'bg-success text-success',
  unpublished: 'border border-current text-muted',
};

/** Names the state of a post, with a dot that is found at a glance in a list. */
export function StateMark({ state, className = '' }: { state: PostState; className?: string }) {
  const { states } = useDeskMessages();
  return (
    <span className={`inline-flex items-center gap-2 whitespace-nowrap ${className}`}>
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${LOOKS[state]}`} />
      {states[state]}
    </span>
  );
}
