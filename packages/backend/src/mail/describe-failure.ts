/**
 * What went wrong and where, without its message: servers quote addresses in theirs, and other errors may quote
 * the mail.
 */
export function describeFailure(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, code, syscall, command, responseCode } = error as SmtpError;
  const at = error.stack?.match(/^ {4}at .+$/gm)?.slice(0, 3);
  return { name, code, syscall, command, responseCode, at };
}

type SmtpError = NodeJS.ErrnoException & { command?: string; responseCode?: number; permanent?: unknown };

/** The same in a few words, for a list. */
export function nameFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  const { name, code, command, responseCode } = error as SmtpError;
  const word = typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : name;
  if (!responseCode) return word;
  return command && /^[A-Z0-9 -]+$/.test(command)
    ? `SMTP ${responseCode} at ${command}`
    : `SMTP ${responseCode}`;
}

/** Refusals of these are about the mail; those of others are about us, and the operator may put them right. */
const ABOUT_THE_MAIL: readonly (string | undefined)[] = [undefined, 'RCPT TO', 'DATA'];

/** What is said before a mail is spoken of. */
const BEFORE_THE_MAIL = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH)/;

/** Codes of what nodemailer, or Node, cannot make of a mail. */
const CANNOT_BE_MADE = /^(EENVELOPE|EMESSAGE|ESTREAM|ERR_)/;

/** Would another mail have fared the same? Nobody answers there, or we are not let in. */
export function isServersFault(error: unknown): boolean {
  const { permanent, responseCode, command, code } = (error ?? {}) as SmtpError;
  if (responseCode !== undefined) return BEFORE_THE_MAIL.test(command ?? '');
  // The network's faults, and the disk's, have codes; mistakes of our own mostly have none.
  return permanent !== true && typeof code === 'string' && !CANNOT_BE_MADE.test(code);
}

/** A refusal for good (5xx of SMTP, a message that cannot be sent at all): asking again would only annoy. */
export function isPermanent(error: unknown): boolean {
  const { permanent, command } = (error ?? {}) as SmtpError;
  return permanent === true && ABOUT_THE_MAIL.includes(command);
}
