import { useId, useRef } from 'react';
import { EXCHANGE_MEGABYTES } from '../../../../project/exchange-faults.ts';
import type { LanguageTranslation, ReleaseRule } from '../../../../project/translations.ts';
import { useClient } from '../../../client/client-context.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import { saveFile } from '../../../ui/use-object-url.ts';
import { MENU_ITEM, MoreMenu, MoreMenuItem } from '../../more-menu.tsx';
import { deskNoticeText, showFailure } from '../../notices.tsx';
import { useDeskMessages } from '../../use-desk.ts';
import { readExchangeFile } from '../read-exchange-file.ts';
import { type TranslationName, XLIFF_TYPE } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';
import type { ReleaseActions } from './use-release-actions.tsx';

interface ReleaseMenuProps {
  name: TranslationName;
  translation: LanguageTranslation;
  release: ReleaseActions;
  onChanged(): void;
}

/** Offers what is rare: holding a language back, withdrawing it, its rule, and files for a translator's own tool. */
export function ReleaseMenu({ name, translation, release, onChanged }: ReleaseMenuProps) {
  const messages = useDeskMessages();
  const { release: texts, exchange } = messages.translations;
  const client = useTranslations();
  const mayReview = useClient().auth.can('translations.review');
  const ruleName = useId();
  const file = useRef<HTMLInputElement>(null);
  const { busy, run } = useBusy(showFailure);
  const download = () =>
    run('export', async () => {
      const text = await client.exportXliff(name);
      saveFile(new Blob([text], { type: XLIFF_TYPE }), `${name.postId}.${name.language}.xlf`);
    });
  const upload = (chosen: File | undefined) =>
    chosen &&
    run('import', async () => {
      await client.importXliff(name, await readExchangeFile(chosen, EXCHANGE_MEGABYTES.xliff));
      toast.success(deskNoticeText(({ translations }) => translations.exchange.imported));
      onChanged();
    });
  const { state, rule } = translation;
  return (
    <>
      <MoreMenu busy={busy !== undefined} className="min-w-64">
        {state !== 'held' && (
          <MoreMenuItem onChoose={() => release.ask('hold')}>{texts.hold.action}</MoreMenuItem>
        )}
        {state === 'released' && (
          <MoreMenuItem onChoose={() => release.ask('withdraw')} className="text-accent">
            {texts.withdraw.action}
          </MoreMenuItem>
        )}
        <fieldset className="border-y border-hairline py-1.5">
          <legend className="small-caps-label float-left w-full px-4 pt-1.5 text-muted">{texts.rule}</legend>
          {(['checked', 'reviewed'] as const satisfies ReleaseRule[]).map((one) => (
            <label key={one} className={`${MENU_ITEM} clear-both cursor-pointer`}>
              <input
                type="radio"
                name={ruleName}
                checked={rule === one}
                disabled={release.busy || !mayReview}
                onChange={() => void release.setRule(one)}
                className="size-4 shrink-0 accent-(--accent)"
              />
              {texts.rules[one]}
            </label>
          ))}
        </fieldset>
        <MoreMenuItem onChoose={() => void download()}>{exchange.export}</MoreMenuItem>
        <MoreMenuItem onChoose={() => file.current?.click()}>{exchange.import}</MoreMenuItem>
      </MoreMenu>
      <input
        ref={file}
        type="file"
        accept=".xlf,.xliff,application/xliff+xml"
        aria-label={exchange.file}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          void upload(target.files?.[0]);
          target.value = '';
        }}
      />
    </>
  );
}
