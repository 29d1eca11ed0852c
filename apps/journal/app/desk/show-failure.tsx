import { type ReactNode, Suspense } from 'react';
import { toast } from '../ui/toasts.tsx';
import type { DeskMessages } from './load-desk-messages.ts';
import { describeDeskError, useDeskMessages } from './use-desk.ts';

/** Tells in a notice that something on the desk did not work, and why: also when the page gets another language meanwhile. */
export function showFailure(error: unknown): void {
  toast.error(<Said say={({ editor }) => editor.failure} />, {
    description: <Said say={(messages) => describeDeskError(error, messages)} />,
  });
}

interface SaidProps {
  say(messages: DeskMessages): string;
}

/** The texts of another language are loaded first, while the other notices stay. */
function Said({ say }: SaidProps): ReactNode {
  return (
    <Suspense>
      <Sentence say={say} />
    </Suspense>
  );
}

function Sentence({ say }: SaidProps): ReactNode {
  return say(useDeskMessages());
}
