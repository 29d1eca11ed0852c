import { type ReactNode, use, useState } from 'react';
import type { SiteSettings, SiteTexts } from '../../project/entities.ts';
import { LANGUAGES, type Language } from '../../project/languages.ts';
import { useClient } from '../client/client-context.tsx';
import { useLanguage } from '../language/language-provider.tsx';
import { loadSettings } from '../site/site.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { useLoadedData } from '../ui/use-loaded-data.ts';
import { loadSiteMessages, type SiteMessages } from './load-site-messages.ts';
import { SettingsForm } from './settings-form.tsx';
import { TextsForm } from './texts-form.tsx';
import { useLeaveGuard } from './use-leave-guard.ts';

/** The row of settings before it is stored. */
const NO_SETTINGS: SiteSettings = {
  id: 'site',
  name: null,
  languages: null,
  accentLight: null,
  accentDark: null,
  logoUrl: null,
  logoWidth: null,
  logoHeight: null,
  aboutImageUrl: null,
  aboutImageWidth: null,
  aboutImageHeight: null,
  updatedAt: 0,
};

/** The row of a language's texts before it is stored. */
function noTexts(id: Language): SiteTexts {
  return {
    id,
    tagline: null,
    aboutImageAlt: null,
    whoTitle: null,
    whoText: null,
    visionTitle: null,
    visionText: null,
    whyTitle: null,
    whyText: null,
    quoteText: null,
    quoteSource: null,
    contactText: null,
    imprint: null,
    privacy: null,
    updatedAt: 0,
  };
}

/** Shows the forms of the site as it is stored now. */
export function SiteEditorScreen() {
  const { language, m } = useLanguage();
  const client = useClient();
  const texts = use(loadSiteMessages(language));
  /** The forms with unsaved changes: `settings`, or the language of the texts. */
  const [changed, setChanged] = useState<readonly string[]>([]);
  const guard = useLeaveGuard(changed.length > 0);
  const note = (form: string) => (isChanged: boolean) =>
    setChanged((list) => [...list.filter((one) => one !== form), ...(isChanged ? [form] : [])]);
  const { status, data, reload } = useLoadedData('site', async () => {
    const [settings, rows, { messages }] = await Promise.all([
      loadSettings(client),
      client.db.table<SiteTexts>('siteTexts').list({ orderBy: { id: 'asc' } }),
      client.notifications.countMessages(),
    ]);
    return { settings: settings ?? NO_SETTINGS, rows, messages };
  });
  if (status === 'failed') {
    return (
      <div role="alert" className="grid justify-items-start gap-4">
        <p className="text-lg">{texts.loadFailed}</p>
        <Button variant="outline" onClick={reload}>
          {m.layout.tryAgain}
        </Button>
      </div>
    );
  }
  if (!data) return <p role="status">{texts.loading}</p>;
  return (
    <>
      <p className="max-w-2xl pb-10 text-lg leading-relaxed text-pretty text-muted">{texts.lead}</p>
      {data.messages > 0 && (
        <p className="max-w-2xl border border-hairline bg-raised p-5 mb-10">
          {texts.messages(data.messages)} <code>npx fabrica outbox</code>
        </p>
      )}
      <Part title={texts.settings}>
        <SettingsForm loaded={data.settings} texts={texts} onChanged={note('settings')} />
      </Part>
      <AllTexts rows={data.rows} texts={texts} changed={changed} note={note} />
      <ConfirmDialog
        open={guard.isAsked}
        title={texts.leave.title}
        description={texts.leave.text}
        cancel={texts.leave.stay}
        confirm={texts.leave.action}
        onConfirm={guard.leave}
        onCancel={guard.stay}
      />
    </>
  );
}

interface AllTextsProps {
  rows: SiteTexts[];
  texts: SiteMessages;
  changed: readonly string[];
  note(form: string): (isChanged: boolean) => void;
}

/** Shows the texts of one language at a time. The other forms stay, with what was typed into them. */
function AllTexts({ rows, texts, changed, note }: AllTextsProps) {
  const { language } = useLanguage();
  const [shown, setShown] = useState<Language>(language);
  return (
    <Part title={texts.texts} lead={texts.textsHint}>
      <fieldset className="flex flex-wrap gap-2">
        <legend className="mb-1.5 text-sm font-medium">{texts.language}</legend>
        {LANGUAGES.map(({ code, name }) => (
          <Button
            key={code}
            size="small"
            variant={code === shown ? 'primary' : 'outline'}
            aria-pressed={code === shown}
            onClick={() => setShown(code)}
          >
            <span lang={code}>{name}</span>
            {changed.includes(code) && <span className="font-normal"> ({texts.unsaved})</span>}
          </Button>
        ))}
      </fieldset>
      {LANGUAGES.map(({ code }) => (
        <div key={code} hidden={code !== shown}>
          <TextsForm
            loaded={rows.find(({ id }) => id === code) ?? noTexts(code)}
            texts={texts}
            onChanged={note(code)}
          />
        </div>
      ))}
    </Part>
  );
}

function Part({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <section className="grid gap-x-16 gap-y-6 border-t border-hairline pt-8 pb-12 lg:grid-cols-[minmax(0,17rem)_minmax(0,40rem)]">
      <div className="grid content-start gap-2">
        <h2 className="font-serif text-[1.75rem] leading-tight tracking-[-0.01em]">{title}</h2>
        {lead && <p className="leading-relaxed text-pretty text-muted">{lead}</p>}
      </div>
      <div className="grid grid-cols-1 content-start gap-6">{children}</div>
    </section>
  );
}
