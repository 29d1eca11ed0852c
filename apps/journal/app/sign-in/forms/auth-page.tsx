import { type ReactNode, useEffect, useRef } from 'react';

export interface AuthPageProps {
  title: string;
  /** What this is about; read out when it changes. */
  lead: string;
  children?: ReactNode;
}

/** What it is, and the one thing to do. A later step takes over the focus that its button had. */
export function AuthPage({ title, lead, children }: AuthPageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(title);
  useEffect(() => {
    if (shown.current === title) return;
    shown.current = title;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <AuthFrame>
      <h1 ref={heading} tabIndex={-1} className="display-title outline-none">
        {title}
      </h1>
      <p role="status" className="mt-4 mb-8 text-lg leading-relaxed text-muted">
        {lead}
      </p>
      {children}
    </AuthFrame>
  );
}

/** One narrow column. */
export function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page-width">
      <div className="mx-auto max-w-md py-14 sm:py-20">{children}</div>
    </div>
  );
}
