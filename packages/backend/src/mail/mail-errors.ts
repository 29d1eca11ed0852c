type SmtpError = NodeJS.ErrnoException & { command?: string; responseCode?: number; permanent?: unknown };
/** The properties that errors of the database engines have. */
type EngineError = { errcode?: number; table?: string; constraint?: string };

/**
 * Describes an error for the log, without its message: mail servers quote email addresses in their messages, and other
 * errors may quote the mail. SQLite's messages name tables and columns alone, as those properties of PostgreSQL's do.
 */
export function describeMailError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, code, syscall, command, responseCode } = error as SmtpError;
  const { errcode, table, constraint } = error as EngineError;
  const reason = code === 'ERR_SQLITE_ERROR' ? error.message : undefined;
  const at = error.stack?.match(/^ {4}at .+$/gm)?.slice(0, 3);
  const cause = error.cause === undefined ? undefined : describeMailError(error.cause);
  return { name, code, reason, errcode, table, constraint, syscall, command, responseCode, at, cause };
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
