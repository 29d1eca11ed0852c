import { useLanguage } from '../language/language-provider.tsx';
import { messagesOf } from '../language/load-messages.ts';
import { buildMetadata } from '../layout/metadata.ts';
import type { Route } from './+types/route.ts';
import { ContactForm } from './contact-form.tsx';

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

export default function Contact() {
  const { m } = useLanguage();
  return (
    <div className="page-width grid gap-x-20 gap-y-10 pt-12 sm:pt-16 lg:grid-cols-[minmax(0,5fr)_minmax(0,6fr)]">
      <div className="grid content-start gap-4">
        <h1 className="display-title">{m.contact.title}</h1>
        <p className="max-w-md font-serif text-xl leading-normal text-muted">{m.contact.lead}</p>
      </div>
      <ContactForm />
    </div>
  );
}
