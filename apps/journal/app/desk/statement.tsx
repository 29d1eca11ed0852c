import type { ReactNode } from 'react';
import { useLanguage } from '../language/language-provider.tsx';
import { Button } from '../ui/button.tsx';

interface StatementProps {
  title: string;
  text?: string | undefined;
  /** Whether screen readers announce it at once, as a failure. */
  isAlert?: boolean;
  children?: ReactNode;
}

/** Says in place of a list or a post that there is none, and what can be done. */
export function Statement({ title, text, isAlert = false, children }: StatementProps) {
  return (
    <div
      role={isAlert ? 'alert' : undefined}
      className="mt-8 grid max-w-2xl justify-items-start gap-3 border-t border-hairline pt-7"
    >
      <h2 className="font-serif text-[1.75rem] leading-tight tracking-[-0.01em]">{title}</h2>
      {text && <p className="text-lg leading-relaxed text-pretty text-muted">{text}</p>}
      {children}
    </div>
  );
}

/** Says in place of a list or a post that it could not be loaded, and offers another try. */
export function FailedStatement({ title, onRetry }: { title: string; onRetry(): void }) {
  return (
    <Statement title={title} isAlert>
      <TryAgain onRetry={onRetry} />
    </Statement>
  );
}

/** Says the same within a drawer, where there is no room for a title. */
export function FailedNote({ text, onRetry }: { text: string; onRetry(): void }) {
  return (
    <div role="alert" className="grid justify-items-start gap-4">
      <p>{text}</p>
      <TryAgain onRetry={onRetry} />
    </div>
  );
}

function TryAgain({ onRetry }: { onRetry(): void }) {
  const { m } = useLanguage();
  return (
    <Button variant="outline" onClick={onRetry}>
      {m.layout.tryAgain}
    </Button>
  );
}
