import { data } from 'react-router';
import { backendContext } from '../backend-context.ts';
import { useLanguage } from '../language/language-provider.tsx';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata } from '../layout/metadata.ts';
import { MarkdownText } from '../markdown/markdown-text.tsx';
import { readFormData } from '../sign-in/forms/form-fields.ts';
import { loadSettings, loadTexts, parseLanguages } from '../site/site.ts';
import type { Route } from './+types/route.ts';
import { checkDraft, TRAP_FIELD } from './contact-draft.ts';
import { ContactForm, type ContactResult } from './contact-form.tsx';

/** Milliseconds that sending takes at least (docs/spec/product.md section 2). */
const SENDING_MS = 1_500;

/** Loads the operator's own text. */
export async function loader({ context }: Route.LoaderArgs) {
  const { client, language, parseMarkdown: parse } = context.get(backendContext);
  const languages = parseLanguages((await loadSettings(client))?.languages);
  const rows = await loadTexts(client, language, { languages });
  const row = rows.find(({ contactText }) => contactText !== null);
  if (!row) return { text: null };
  const { parseMarkdown } = await import('../markdown/parse-markdown.ts');
  return { text: { language: row.id, nodes: await parseMarkdown(row.contactText ?? '', parse) } };
}

export async function action({ context, request }: Route.ActionArgs) {
  const { sendContact } = context.get(backendContext);
  const fields = await readFormData(request);
  const { draft, errors } = checkDraft(fields);
  if (Object.keys(errors).length > 0) return data({ draft, errors, outcome: null }, { status: 400 });
  // People do not see the trap. A program that fills it in gets the same page.
  const trapped = String(fields.get(TRAP_FIELD) ?? '') !== '';
  const outcome = trapped ? 'sent' : await sendContact(draft);
  const status = { sent: 200, limited: 429, failed: 503 }[outcome];
  return data({ draft: outcome === 'sent' ? null : draft, errors, outcome }, { status });
}

/** Sends the form to the server, unless it has faults. Never rejects. */
export async function clientAction({
  request,
  serverAction,
}: Route.ClientActionArgs): Promise<ContactResult> {
  const { draft, errors } = checkDraft(await request.clone().formData());
  if (Object.keys(errors).length > 0) return { draft, errors, outcome: null };
  const sending = serverAction().catch(() => ({ draft, errors, outcome: 'failed' as const }));
  await new Promise((resolve) => setTimeout(resolve, SENDING_MS));
  return sending;
}

export function meta({ matches }: Route.MetaArgs) {
  const { language, publicUrl, site } = matches[0].loaderData;
  const { title, description } = messagesOf(language).contact;
  return buildMetadata({
    title,
    description: description(site.name),
    path: '/contact',
    language,
    publicUrl,
    site,
  });
}

export default function Contact({ loaderData: { text }, actionData }: Route.ComponentProps) {
  const { m, language } = useLanguage();
  return (
    <div className="page-width grid gap-x-20 gap-y-10 pt-12 sm:pt-16 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div className="grid content-start gap-4">
        <h1 className="display-title">{m.contact.title}</h1>
        <p className="max-w-md font-serif text-xl leading-normal text-muted">{m.contact.lead}</p>
        {text && (
          <div lang={text.language === language ? undefined : text.language} className="max-w-md pt-4">
            <MarkdownText nodes={text.nodes} className="leading-relaxed" />
          </div>
        )}
      </div>
      <ContactForm sent={actionData} />
    </div>
  );
}
