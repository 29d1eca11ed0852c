import { type ReactNode, useEffect } from 'react';

type AccountSectionId =
  | 'profile'
  | 'introduction'
  | 'bylines'
  | 'email'
  | 'notices'
  | 'password'
  | 'factors'
  | 'sessions'
  | 'data';

interface AccountSectionProps {
  /** Also the fragment of its URL: `/account#sessions`. */
  id: AccountSectionId;
  title: string;
  lead?: string;
  children: ReactNode;
}

/** Shows a part of the account page. On wide screens its heading is in the margin. A mail's link to it gives it the focus. */
export function AccountSection({ id, title, lead, children }: AccountSectionProps) {
  useEffect(() => {
    if (window.location.hash !== `#${id}`) return;
    focusHeading(id);
    return keepInView(headingId(id));
  }, [id]);
  return (
    <section
      id={id}
      aria-labelledby={headingId(id)}
      className="grid gap-x-16 gap-y-6 border-t border-hairline pt-8 pb-12 lg:grid-cols-[minmax(0,17rem)_minmax(0,36rem)]"
    >
      <div className="grid content-start gap-2">
        <h2
          id={headingId(id)}
          tabIndex={-1}
          className="font-serif text-[1.75rem] leading-tight tracking-[-0.01em] outline-none"
        >
          {title}
        </h2>
        {lead && <p className="leading-relaxed text-pretty text-muted">{lead}</p>}
      </div>
      <div className="grid grid-cols-1 content-start gap-6">{children}</div>
    </section>
  );
}

/** Moves the focus to a section's heading, because the element that had it is gone. */
export function focusHeading(id: AccountSectionId): void {
  document.getElementById(headingId(id))?.focus();
}

/** Keeps an element in view while what stands above it is loaded, until its reader does something. Returns a function that ends this. */
function keepInView(id: string): () => void {
  const observer = new ResizeObserver(() => {
    document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  });
  observer.observe(document.body);
  const acts = new AbortController();
  const end = () => {
    observer.disconnect();
    acts.abort();
  };
  for (const act of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    window.addEventListener(act, end, { signal: acts.signal, passive: true });
  return end;
}

function headingId(id: AccountSectionId): string {
  return `${id}-heading`;
}
