import type { ReactNode } from 'react';

export type AccountSectionId = 'profile' | 'email' | 'notices' | 'password' | 'sessions' | 'data';

export interface AccountSectionProps {
  /** Also its address on the page: `/account#sessions`. */
  id: AccountSectionId;
  title: string;
  lead?: string;
  children: ReactNode;
}

/** A part of the account page, its heading above or, where there is room, in the margin. */
export function AccountSection({ id, title, lead, children }: AccountSectionProps) {
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

/** Where the focus goes when what had it is gone. */
export function focusHeading(id: AccountSectionId): void {
  document.getElementById(headingId(id))?.focus();
}

function headingId(id: AccountSectionId): string {
  return `${id}-heading`;
}
