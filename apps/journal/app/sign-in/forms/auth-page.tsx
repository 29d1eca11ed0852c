import { CircleAlert, Smartphone } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useLanguage } from '../../language/language-provider.tsx';
import { BackLink } from '../../ui/back-link.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import type { RefusedTarget } from '../target/sign-in-target.ts';

interface AuthPageProps {
  title: string;
  /** The paragraph below the title; screen readers announce it when it changes. */
  lead: string;
  children?: ReactNode;
}

/**
 * Lays out a page of signing in. When the title changes, the heading takes the focus of a button that is gone; for this
 * all steps of a form render the same `AuthPage` element.
 */
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

/** Explains why a sign-in is not served. */
export function RefusedPage({ target: { reason } }: { target: RefusedTarget }) {
  const { m } = useLanguage();
  return (
    <AuthFrame>
      <h1 className="display-title">{m.signIn.refused.title}</h1>
      <p className="mt-5 mb-8 text-lg leading-relaxed text-muted">{m.signIn.refused[reason]}</p>
      <BackLink to="/gallery">{m.signIn.back}</BackLink>
    </AuthFrame>
  );
}

function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="page-width">
      <div className="mx-auto max-w-md py-14 sm:py-20">{children}</div>
    </div>
  );
}

/** Shows an error of the form as a whole; screen readers announce it when it appears. */
export function FormAlert({ children }: { children: string | undefined }) {
  return children ? (
    <p
      role="alert"
      className="mb-5 flex items-start gap-2 border border-accent p-3.5 text-[0.9375rem] text-accent"
    >
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {children}
    </p>
  ) : null;
}

/**
 * Warns that the session goes to an app. The sender of the link may be the one who waits for the session, and only
 * the reader knows who asked for it.
 */
export function AppWarning() {
  const { m } = useLanguage();
  return (
    <p className="mb-6 flex items-start gap-3 border border-field p-3.5 text-[0.9375rem] leading-relaxed">
      <Smartphone aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" />
      {m.signIn.forApp}
    </p>
  );
}

/** Links to another page, and looks like the large button of a form. */
export function LargeLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={`${buttonClass({ size: 'large' })} w-full`}>
      {children}
    </Link>
  );
}
