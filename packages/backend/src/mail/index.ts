export { createBudgetMails } from './budget-mails.ts';
export { createMailTransport, outboxFolder } from './create-transport.ts';
export {
  createFileTransport,
  deleteStoredMail,
  type FileTransportOptions,
  readStoredMails,
  type StoredMail,
  sealStoredMails,
} from './file-transport.ts';
export { countMessages, deleteMessage, KEPT_MESSAGES, keepMessage, listMessages } from './kept-messages.ts';
export { describeMailError } from './mail-errors.ts';
export {
  createMailQueue,
  type MailQueue,
  type MailQueueOptions,
  type MailQueueTimes,
  type PreparedMail,
} from './mail-queue.ts';
export { createMailSeal, type MailSeal } from './mail-seal.ts';
export type {
  AuthMail,
  LinkMail,
  LinkMailKind,
  MailAddress,
  MailAttachment,
  MailMessage,
  MailTransport,
  OutgoingMail,
  OwnerNoticeKind,
  RenderedMail,
  RenderMail,
} from './mail-transport.ts';
export { mailMigrations, mailTables } from './migrations.ts';
export {
  countWaiting,
  deleteMails,
  listMails,
  type MailConnection,
  type MailState,
  type OutboxRow,
  readAttachments,
  readMessage,
  retryMails,
  sealOldMails,
} from './outbox-queries.ts';
export { parseSender, type Sender } from './parse-sender.ts';
export { mailSettings, readMailSettings } from './settings.ts';
export { createSmtpTransport, type SmtpTransportOptions } from './smtp-transport.ts';
export { createMailStore, type QueuedMail, type StoreMail } from './store-mail.ts';
