import { CircleAlert } from 'lucide-react';

/** What went wrong with a form as a whole; read out when it appears. */
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
