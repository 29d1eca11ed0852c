import type { ReactNode } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';

interface NoMailOptionsProps {
  /** The text that says where to look for the mail, or that another one was sent. */
  status: string;
  startPath: string;
  changeEmail(): void;
  /** The button that sends another mail. */
  children: ReactNode;
}

/** Offers what a reader can do when no mail arrives: have another one sent, or use another email. */
export function NoMailOptions({ status, startPath, changeEmail, children }: NoMailOptionsProps) {
  const { m } = useLanguage();
  return (
    <div className="mt-10 grid justify-items-start gap-3 border-t border-hairline pt-6 text-[0.9375rem] text-muted">
      <p role="status">{status}</p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
        {children}
        <a
          href={startPath}
          onClick={(event) => {
            event.preventDefault();
            changeEmail();
          }}
          className="flex min-h-11 items-center text-ink underline underline-offset-4 hover:text-accent"
        >
          {m.authMail.send.otherEmail}
        </a>
      </div>
    </div>
  );
}
