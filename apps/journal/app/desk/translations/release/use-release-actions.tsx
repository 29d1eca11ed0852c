import { FabricaError } from '@fabrica/client';
import { type ReactNode, useState } from 'react';
import type { ReleaseRule } from '../../../../project/translations.ts';
import { languageName } from '../../../language/language-names.ts';
import { useLanguage } from '../../../language/language-provider.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { toast } from '../../../ui/toasts.tsx';
import { useBusy } from '../../../ui/use-busy.ts';
import type { DeskMessages } from '../../load-desk-messages.ts';
import { deskNoticeText, showReason } from '../../notices.tsx';
import { describeDeskError, useDeskMessages } from '../../use-desk.ts';
import type { ReleaseAction, TranslationName } from '../translations-client.ts';
import { useTranslations } from '../use-translations.ts';

export interface UseReleaseActionsOptions {
  name: TranslationName;
  onChanged(): void;
}

export interface ReleaseActions {
  busy: boolean;
  /** Asks before a language is released, held back or withdrawn. */
  ask(action: ReleaseAction): void;
  setRule(rule: ReleaseRule): Promise<void>;
  /** The question that is asked. */
  question: ReactNode;
}

/** Returns what decides about the release of a language. It tells its outcome by notices. */
export function useReleaseActions({ name, onChanged }: UseReleaseActionsOptions): ReleaseActions {
  const messages = useDeskMessages();
  const texts = messages.translations.release;
  const { language } = useLanguage();
  const client = useTranslations();
  const { busy: doing, run: runOne } = useBusy<'release'>((error) =>
    showReason((messages) => describeReleaseError(error, messages)),
  );
  const busy = doing !== undefined;
  const [asked, setAsked] = useState<ReleaseAction>();
  const target = languageName(name.language, language);

  const run = async (act: () => Promise<ReactNode>) => {
    const told = await runOne('release', act);
    if (told !== undefined) toast.success(told);
    onChanged();
  };
  const confirm = async (action: ReleaseAction) => {
    await run(async () => {
      const { state } = await client.release(name, action);
      // A post that readers do not have yet is released with its first publication.
      const isLater = action === 'release' && state !== 'released';
      return deskNoticeText(({ translations: { release } }, shown) => {
        const written = languageName(name.language, shown);
        return isLater ? release.later(written) : release[action].done(written);
      });
    });
    setAsked(undefined);
  };
  const words = asked && texts[asked];
  return {
    busy,
    ask: setAsked,
    setRule: (rule) =>
      run(async () => {
        await client.setRule(name, rule);
        return deskNoticeText(({ translations }) => translations.release.ruleChanged);
      }),
    question: (
      <ConfirmDialog
        open={words !== undefined}
        title={words?.title(target) ?? ''}
        description={words?.text(target) ?? ''}
        cancel={messages.editor.cancel}
        confirm={words?.action}
        isHarmless={asked !== 'withdraw'}
        busy={busy}
        onConfirm={() => asked && void confirm(asked)}
        onCancel={() => setAsked(undefined)}
      />
    ),
  };
}

/** Returns a sentence that says what keeps a language from being released, or why something else did not work. */
function describeReleaseError(error: unknown, messages: DeskMessages): string {
  const { faults } = messages.translations.release;
  const details = error instanceof FabricaError && error.code === 'CONFLICT' ? error.details : undefined;
  const fault = (details as { fault?: keyof typeof faults } | undefined)?.fault;
  return (fault && faults[fault]) ?? describeDeskError(error, messages);
}
