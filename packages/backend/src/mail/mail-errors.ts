type SmtpError = NodeJS.ErrnoException & { command?: string; responseCode?: number; permanent?: unknown };

/**
 * Describes an error for the log, without its message: mail servers quote email addresses in their messages, and other
 * errors may quote the mail.
 */
export function describeMailError(error: unknown) {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, code, syscall, command, responseCode } = error as SmtpError;
  const at = error.stack?.match(/^ {4}at .+$/gm)?.slice(0, 3);
  return { name, code, syscall, command, responseCode, at };
}

/** Describes an error in a few words, such as `SMTP 451 at RCPT TO`, for the list of mails. */
export function summarizeMailError(error: unknown): string {
  if (!(error instanceof Error)) return 'Error';
  const { name, code, command, responseCode } = error as SmtpError;
  const word = typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : name;
  if (!responseCode) return word;
  return command && /^[A-Z0-9 -]+$/.test(command)
    ? `SMTP ${responseCode} at ${command}`
    : `SMTP ${responseCode}`;
}

/** SMTP commands whose errors are about the mail. Errors of others are about our settings, which may be corrected. */
const MAIL_COMMANDS: readonly (string | undefined)[] = [undefined, 'RCPT TO', 'DATA'];

/** Matches the SMTP commands that come before any mail. */
const CONNECTION_COMMAND = /^(CONN|EHLO|HELO|LHLO|STARTTLS|AUTH)/;

/** Matches the codes of nodemailer and Node for a mail that cannot be encoded. */
const ENCODING_ERROR = /^(EENVELOPE|EMESSAGE|ESTREAM|ERR_)/;

/** Returns whether any mail would have failed: the server cannot be reached, or does not accept our login. */
export function isServerFault(error: unknown): boolean {
  const { permanent, responseCode, command, code } = (error ?? {}) as SmtpError;
  if (responseCode !== undefined) return CONNECTION_COMMAND.test(command ?? '');
  // Errors of the network and the disk have codes; mistakes in our code mostly have none.
  return permanent !== true && typeof code === 'string' && !ENCODING_ERROR.test(code);
}

/** Returns whether trying again is of no use: an SMTP 5xx about the mail, or a mail that cannot be sent at all. */
export function isPermanent(error: unknown): boolean {
  const { permanent, command } = (error ?? {}) as SmtpError;
  return permanent === true && MAIL_COMMANDS.includes(command);
}
