import type { ReactNode } from 'react';

export interface StatementProps {
  title: string;
  text?: string;
  /** Whether screen readers are told at once, as of a failure. */
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
