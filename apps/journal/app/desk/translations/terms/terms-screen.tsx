import { useMemo, useState } from 'react';
import { LANGUAGE_CODES } from '../../../../project/languages.ts';
import { useClient } from '../../../client/client-context.tsx';
import { languageName } from '../../../language/language-names.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { useLoadedData } from '../../../ui/use-loaded-data.ts';
import { deskNoticeText, showFailure } from '../../notices.tsx';
import { FailedStatement, Statement } from '../../statement.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import { ExchangeFiles } from './exchange-files.tsx';
import { TermDrawer } from './term-drawer.tsx';
import { createTermsClient, type Term, type TermChanges } from './terms-client.ts';

/** Lists the terms of a project, which every translation keeps to, and exchanges them and the memory with other tools. */
export function TermsScreen() {
  const { m } = useLanguage();
  const messages = useDeskMessages();
  const texts = messages.translations.terms;
  const client = useClient();
  const mayEdit = client.auth.can('translations.review');
  const calls = useMemo(() => createTermsClient(client), [client]);
  const loaded = useLoadedData('terms', () => calls.list());
  const [search, setSearch] = useState('');
  const [edited, setEdited] = useState<Term | 'new'>();
  const [asked, setAsked] = useState<Term>();
  const { busy, run } = useBusy(showFailure);
  const { data } = loaded;
  const wanted = search.trim().toLocaleLowerCase();
  const shown = data?.filter(({ words, note }) =>
    [...Object.values(words).flat(), note].some((word) => word.toLocaleLowerCase().includes(wanted)),
  );

  const save = (changes: TermChanges) =>
    run('save', async () => {
      if (edited === 'new') {
        const added = await calls.add(changes);
        loaded.update((terms) => [added, ...terms]);
      } else if (edited) {
        const changed = await calls.change(edited.id, changes);
        loaded.update((terms) => terms.map((term) => (term.id === changed.id ? changed : term)));
      }
      setEdited(undefined);
      toast.success(deskNoticeText(({ translations }) => translations.terms.saved));
    });
  const remove = (term: Term) =>
    run('remove', async () => {
      await calls.remove(term.id);
      loaded.update((terms) => terms.filter(({ id }) => id !== term.id));
      setAsked(undefined);
      toast.success(deskNoticeText(({ translations }) => translations.terms.delete.done));
    });
  return (
    <>
      <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-5 pt-6 pb-8">
        <div className="grid max-w-2xl gap-3">
          <h1 className="display-title">{texts.title}</h1>
          <p className="text-lg leading-relaxed text-muted">{texts.lead}</p>
        </div>
        {mayEdit && <Button onClick={() => setEdited('new')}>{texts.add}</Button>}
      </header>
      {loaded.status === 'failed' && <FailedStatement title={texts.failed} onRetry={loaded.reload} />}
      {loaded.status === 'loading' && !data && <div className="skeleton h-64" />}
      {data && data.length > 0 && (
        <div className="max-w-xl pb-4">
          <TextField
            type="search"
            label={texts.search}
            value={search}
            onChange={({ target }) => setSearch(target.value)}
          />
        </div>
      )}
      <p role="status" className="sr-only">
        {shown ? texts.count(shown.length) : m.layout.loading}
      </p>
      {data?.length === 0 && (
        <Statement title={texts.empty.title} text={mayEdit ? texts.empty.text : undefined} />
      )}
      {data && data.length > 0 && shown?.length === 0 && <Statement title={texts.noMatch} />}
      {shown && shown.length > 0 && (
        <ul className="border-t border-hairline">
          {shown.map((term) => (
            <TermRow
              key={term.id}
              term={term}
              mayEdit={mayEdit}
              onEdit={() => setEdited(term)}
              onDelete={() => setAsked(term)}
            />
          ))}
        </ul>
      )}
      {mayEdit && <ExchangeFiles client={calls} onImported={loaded.reload} />}
      {edited && (
        <TermDrawer
          term={edited === 'new' ? undefined : edited}
          busy={busy !== undefined}
          onSave={(changes) => void save(changes)}
          onClose={() => busy || setEdited(undefined)}
        />
      )}
      <ConfirmDialog
        open={asked !== undefined}
        title={texts.delete.title(asked ? nameOf(asked) : '')}
        description={texts.delete.text}
        cancel={messages.editor.cancel}
        confirm={texts.delete.action}
        busy={busy !== undefined}
        onConfirm={() => asked && void remove(asked)}
        onCancel={() => setAsked(undefined)}
      />
    </>
  );
}

/** Returns the first word of a term, by which people know it. */
function nameOf({ words }: Term): string {
  return Object.values(words).flat()[0] ?? '';
}

interface TermRowProps {
  term: Term;
  mayEdit: boolean;
  onEdit(): void;
  onDelete(): void;
}

function TermRow({ term, mayEdit, onEdit, onDelete }: TermRowProps) {
  const { language: shown } = useLanguage();
  const texts = useDeskMessages().translations.terms;
  const { words, keep, note } = term;
  const name = nameOf(term);
  return (
    <li className="grid gap-x-6 gap-y-2 border-b border-hairline py-4 md:grid-cols-[minmax(0,1fr)_auto]">
      <div className="grid gap-1.5">
        {keep ? (
          <p>
            <span className="font-serif text-lg [overflow-wrap:anywhere]">{name}</span>{' '}
            <span className="text-sm text-muted">{texts.keeps}</span>
          </p>
        ) : (
          <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-2 lg:grid-cols-4">
            {LANGUAGE_CODES.map((code) => (
              <div key={code} className="min-w-0">
                <dt className="small-caps-label text-muted">{languageName(code, shown)}</dt>
                <dd lang={code} className="font-serif text-lg leading-snug [overflow-wrap:anywhere]">
                  {words[code]?.join(', ') || '–'}
                </dd>
              </div>
            ))}
          </dl>
        )}
        {note && <p className="text-sm text-muted [overflow-wrap:anywhere]">{note}</p>}
      </div>
      {mayEdit && (
        <div className="-ml-3 flex items-start md:ml-0">
          <Button variant="quiet" size="small" aria-label={texts.editTerm(name)} onClick={onEdit}>
            {texts.edit}
          </Button>
          <Button variant="quiet" size="small" aria-label={texts.deleteTerm(name)} onClick={onDelete}>
            {texts.delete.action}
          </Button>
        </div>
      )}
    </li>
  );
}
