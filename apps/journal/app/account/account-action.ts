import { AuthError, type FabricaClient, FabricaError } from '@fabrica/client';
import {
  type AddedFactor,
  asciiEmail,
  CODE_TRIES,
  FACTOR_NAME_LENGTH,
  type FreshProof,
  nameFault,
  type PasskeyAssertion,
  type Person,
  type ProofKind,
  type TotpSetUp,
  type User,
} from '@fabrica/contract';
import { replace } from 'react-router';
import { isLanguage } from '../../project/languages.ts';
import { removeLocalTexts } from '../client/local-texts.ts';
import { createSendDeskRequest, pathOf } from '../desk/desk-requests.ts';
import { createPasskey, getPasskey, PasskeyError } from '../factors/passkey.ts';
import type { Messages } from '../language/load-messages.ts';
import { noticeText } from '../language/notice-text.tsx';
import { clientErrorCode } from '../sign-in/forms/form-errors.ts';
import { hasPasswordLength, parseCode, readField } from '../sign-in/forms/form-fields.ts';
import { MAX_NAME_LENGTH } from '../sign-in/password/sign-in-fields.ts';
import { countCharacters } from '../ui/text-limit.tsx';
import { notify } from '../ui/toasts.tsx';
import { saveFile } from '../ui/use-object-url.ts';
import { describeError } from './describe-error.ts';
import { MAX_SENTENCE_LENGTH, saveIntroduction } from './introduction/save-introduction.ts';
import { saveProfile } from './profile/save-profile.ts';

/** Writes a text in the language of the page, so that a text that is shown follows a change of the language. */
type AccountText = (m: Messages, sendsMail: boolean) => string;

/** The result of a form of the account page; it has an error if it failed. */
export interface AccountResult {
  /** Says what was done. */
  notice?: AccountText;
  error?: AccountText;
  /** The name of the form field that the error belongs to, if any. */
  field?: string;
  /** The proofs that are asked for, one of which was missing or wrong. */
  proofs?: readonly ProofKind[];
  /** Whether the session had ended. */
  hasEnded?: boolean;
  /** The URL of the photo that was uploaded before the change failed. */
  uploaded?: string;
  /** The authenticator app that is being set up. */
  app?: TotpSetUp;
  added?: AddedFactor;
  /** The passkey that the browser has shown. */
  passkey?: PasskeyAssertion;
  recoveryCodes?: readonly string[];
  /** The account that was given another role. */
  person?: Person;
  /** The code of the error, if it has one. */
  code?: string;
}

interface SentForm extends Pick<FabricaClient, 'auth' | 'db' | 'storage' | 'notifications' | 'request'> {
  /** Sends a request to the desk. */
  send: ReturnType<typeof createSendDeskRequest>;
  fields: FormData;
  user: User;
}

/** Handles the forms of the account page, in the browser: their field `intent` names what is sent. */
export async function submitAccountForm(
  client: FabricaClient,
  fields: FormData,
): Promise<AccountResult | Response> {
  const { auth, db, storage, notifications, request } = client;
  const { user } = auth.getState();
  const submit = FORMS[readField(fields, 'intent')];
  if (!user || !submit) return { error: ({ signIn }) => signIn.errors.TOKEN_EXPIRED, hasEnded: true };
  const send = createSendDeskRequest(client);
  return submit({ auth, db, storage, notifications, request, send, fields, user }).catch(failureOf);
}

function failureOf(error: unknown): AccountResult {
  if (error instanceof PasskeyError) {
    return { error: ({ factors }) => (error.reason === 'known' ? factors.known : factors.notShown) };
  }
  const code = clientErrorCode(error) ?? '';
  return {
    error: (m) => describeError(error, m),
    code,
    hasEnded: error instanceof AuthError && ['TOKEN_EXPIRED', 'UNAUTHENTICATED'].includes(code),
  };
}

const FORMS: Record<string, (form: SentForm) => Promise<AccountResult | Response>> = {
  profile: changeProfile,
  introduce,
  'send-verification': async ({ auth, user }) => {
    await auth.sendEmailVerification();
    return {
      notice: ({ account, authMail }, sendsMail) =>
        sendsMail ? account.email.sent(user.email) : authMail.unsent.requested,
    };
  },
  verify: verifyEmail,
  notices: async ({ notifications, fields }) => {
    const isWanted = fields.has('wanted');
    await notifications.changeSettings({ [readField(fields, 'kind')]: isWanted });
    return { notice: ({ account: { notices } }) => (isWanted ? notices.on : notices.off) };
  },
  'accept-byline': async ({ send, fields }) => {
    await send('PUT', pathOf`/posts/${readField(fields, 'post')}/byline`);
    return {};
  },
  'leave-byline': async ({ send, fields }) => {
    await send('DELETE', pathOf`/posts/${readField(fields, 'post')}/byline`);
    return {};
  },
  password: changePassword,
  'reset-password': async ({ auth, user }) => {
    await auth.sendPasswordReset(user.email, { returnTo: '/account' });
    return {
      notice: ({ account, authMail }, sendsMail) =>
        sendsMail ? account.password.resetSent(user.email) : authMail.unsent.byLink,
    };
  },
  'send-proof': async ({ auth, user }) => {
    await auth.sendProofCode();
    return {
      notice: ({ account, authMail }, sendsMail) =>
        sendsMail ? account.proof.sent(user.email) : authMail.unsent.requested,
    };
  },
  'show-passkey': async ({ auth }) => ({ passkey: await getPasskey(await auth.proofOptions()) }),
  'add-passkey': (form) =>
    withProof(form, async (proof = {}) => {
      const credential = await createPasskey(await form.auth.beginPasskey({ proof }));
      return { added: await form.auth.addPasskey({ credential }) };
    }),
  'begin-app': (form) =>
    withProof(form, async (proof = {}) => ({ app: await form.auth.beginTotp({ proof }) })),
  'add-app': addApp,
  'rename-factor': renameFactor,
  'remove-factor': (form) =>
    withProof(form, async (proof = {}) => {
      await form.auth.removeFactor(readField(form.fields, 'factor'), proof);
      return {};
    }),
  'recovery-codes': (form) =>
    withProof(form, async (proof = {}) => ({ recoveryCodes: await form.auth.makeRecoveryCodes(proof) })),
  'end-session': (form) =>
    withProof(form, async (proof) => {
      await form.auth.endSession(readField(form.fields, 'session'), proof).catch((error: unknown) => {
        // The session has already ended, by itself or on another device.
        if (!(error instanceof FabricaError) || error.status !== 404) throw error;
      });
      return {};
    }),
  'sign-out': (form) =>
    withProof(form, async (proof) => {
      await form.auth.signOutEverywhere(proof);
      await removeLocalTexts(form.user.id);
      notify({ title: noticeText(({ m }) => m.account.sessions.everywhere.done) });
      return replace('/gallery');
    }),
  'change-role': (form) =>
    withProof(form, async (proof) => {
      const path = `/api/auth/people/${encodeURIComponent(readField(form.fields, 'person'))}`;
      const json = { role: readField(form.fields, 'role'), proof };
      const { person } = (await form.request({ method: 'PATCH', path, json })) as { person: Person };
      return { person };
    }),
  export: (form) =>
    withProof(form, async (proof) => {
      const file = await form.auth.exportData(proof);
      saveFile(file, `fabrica-${new Date().toISOString().slice(0, 10)}.json`);
      return { notice: ({ account }) => account.data.exported };
    }),
  delete: deleteAccount,
};

async function changeProfile({ auth, storage, user, fields }: SentForm): Promise<AccountResult> {
  const displayName = readField(fields, 'name').trim();
  if (countCharacters(displayName) > MAX_NAME_LENGTH) {
    return { field: 'name', error: ({ signIn }) => signIn.nameTooLong };
  }
  const fault = nameFault(displayName);
  if (fault) {
    const error = ({ post: { comments } }: Messages) =>
      fault === 'email' ? comments.nameIsEmail : comments.nameUnclear;
    return { field: 'name', error };
  }
  const photo = fields.get('photo');
  let uploaded = readField(fields, 'uploaded');
  try {
    await saveProfile(
      {
        user,
        displayName,
        photo: photo === 'keep' ? undefined : uploaded || (photo instanceof File ? photo : null),
      },
      { auth, storage, onUploaded: (url) => (uploaded = url) },
    );
  } catch (error) {
    return { ...failureOf(error), uploaded };
  }
  return { notice: ({ account }) => account.profile.saved };
}

async function introduce({ db, user, fields }: SentForm): Promise<AccountResult> {
  const language = readField(fields, 'language');
  const sentence = readField(fields, 'sentence').trim();
  if (!isLanguage(language)) throw new Error(`No language: ${language}`);
  if (countCharacters(sentence) > MAX_SENTENCE_LENGTH) {
    return { field: 'sentence', error: ({ account }) => account.introduction.tooLong };
  }
  await saveIntroduction({ db }, { userId: user.id, language, sentence });
  return { notice: ({ account }) => account.profile.saved };
}

async function verifyEmail({ auth, user, fields }: SentForm): Promise<AccountResult> {
  const code = parseCode(readField(fields, 'code'));
  if (!code) return { field: 'code', error: ({ authMail }) => authMail.code.missing };
  try {
    await auth.verifyEmail({ email: user.email, code });
  } catch (error) {
    if (clientErrorCode(error) !== 'VERIFICATION_FAILED') throw error;
    return { field: 'code', error: ({ authMail }) => authMail.code.wrong(CODE_TRIES) };
  }
  return { notice: ({ account }) => account.email.nowVerified };
}

async function changePassword({ auth, fields }: SentForm): Promise<AccountResult> {
  const [oldPassword, newPassword] = [readField(fields, 'oldPassword'), readField(fields, 'newPassword')];
  const isWeak: AccountResult = { field: 'newPassword', error: ({ signIn }) => signIn.errors.WEAK_PASSWORD };
  if (!oldPassword) return { field: 'oldPassword', error: ({ signIn }) => signIn.passwordMissing };
  if (!newPassword) return { field: 'newPassword', error: ({ account }) => account.password.newMissing };
  if (!hasPasswordLength(newPassword)) return isWeak;
  try {
    await auth.changePassword(oldPassword, newPassword);
  } catch (error) {
    const code = clientErrorCode(error);
    if (code === 'WEAK_PASSWORD') return isWeak;
    if (code !== 'INVALID_CREDENTIALS') throw error;
    return { field: 'oldPassword', error: ({ account }) => account.password.oldWrong };
  }
  return { notice: ({ account }) => account.password.changed };
}

async function addApp({ auth, fields }: SentForm): Promise<AccountResult> {
  const code = readField(fields, 'code');
  if (!code.trim()) return { field: 'code', error: ({ factors }) => factors.codeMissing };
  try {
    return { added: await auth.addTotp({ setUp: readField(fields, 'setUp'), code }) };
  } catch (error) {
    if (!['SECOND_FACTOR_FAILED', 'VALIDATION_FAILED'].includes(clientErrorCode(error) ?? '')) throw error;
    return { field: 'code', error: ({ factors }) => factors.codeWrong };
  }
}

async function renameFactor({ auth, fields }: SentForm): Promise<AccountResult> {
  const name = readField(fields, 'name');
  if (!name.trim()) return { field: 'name', error: ({ factors }) => factors.section.nameMissing };
  if (countCharacters(name) > FACTOR_NAME_LENGTH) {
    return { field: 'name', error: ({ signIn }) => signIn.nameTooLong };
  }
  await auth.renameFactor(readField(fields, 'factor'), name);
  return {};
}

async function deleteAccount(form: SentForm): Promise<AccountResult | Response> {
  const { auth, user, fields } = form;
  if (asciiEmail(readField(fields, 'email').trim().toLowerCase()) !== user.email) {
    return { field: 'email', error: ({ account }) => account.data.delete.emailWrong };
  }
  return withProof(form, async (proof) => {
    await auth.deleteAccount(proof);
    void removeLocalTexts(user.id);
    notify({
      title: noticeText(({ m }) => m.account.data.delete.done),
      description: noticeText(({ m }) => m.account.data.delete.doneDescription),
    });
    return replace('/gallery');
  });
}

/** Acts with the proof that the form holds. A call that misses one names the kinds that are asked for. */
async function withProof(
  { fields }: SentForm,
  act: (proof: FreshProof | undefined) => Promise<AccountResult | Response>,
): Promise<AccountResult | Response> {
  const asked = PROOFS.find(({ kind }) => kind === readField(fields, 'proofKind'));
  const passkey = readField(fields, 'passkey');
  const given = asked?.read(readField(fields, asked.field));
  if (asked && !passkey && !given) return { field: asked.field, error: asked.missing };
  const typed = asked && { [asked.kind]: given };
  try {
    return await act(passkey ? { passkey: JSON.parse(passkey) as PasskeyAssertion } : typed);
  } catch (error) {
    const proofs = proofsOf(error);
    if (!proofs) throw error;
    if (!asked) return { proofs, error: ({ account }) => account.proof.lead };
    return { proofs, field: asked.field, error: asked.wrong };
  }
}

/** The proofs that are typed into a field. */
const PROOFS: readonly {
  kind: ProofKind;
  field: 'proof' | 'code';
  read(typed: string): string | null;
  missing: AccountText;
  wrong: AccountText;
}[] = [
  {
    kind: 'password',
    field: 'proof',
    read: (typed) => typed,
    missing: ({ signIn }) => signIn.passwordMissing,
    wrong: ({ account }) => account.password.oldWrong,
  },
  {
    kind: 'code',
    field: 'code',
    read: parseCode,
    missing: ({ authMail }) => authMail.code.missing,
    wrong: ({ authMail }) => authMail.code.wrong(CODE_TRIES),
  },
  {
    kind: 'factor',
    field: 'code',
    read: (typed) => (typed.trim() ? typed : null),
    missing: ({ factors }) => factors.codeMissing,
    wrong: ({ factors }) => factors.codeWrong,
  },
];

/** Returns the proofs that an error of a call asks for. */
function proofsOf(error: unknown): readonly ProofKind[] | undefined {
  if (!(error instanceof FabricaError) || error.code !== 'INVALID_CREDENTIALS') return undefined;
  const { proofs } = (error.details ?? {}) as { proofs?: unknown };
  return Array.isArray(proofs) ? (proofs as ProofKind[]) : undefined;
}
