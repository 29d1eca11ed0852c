import type { User } from '@fabrica/contract';
import { useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useLoadedData } from '../../ui/use-loaded-data.ts';
import { AccountSection } from '../account-section.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';
import { loadIntroductions, MAX_SENTENCE_LENGTH } from './save-introduction.ts';

/** Lets authors write the sentence that stands below their posts, in the language of the page. */
export function IntroductionSection({ user }: { user: User }) {
  const client = useClient();
  const { language } = useLanguage();
  const stored = useLoadedData('introductions', () => loadIntroductions(client, user.id));
  if (stored.status !== 'ready') return null;
  const sentence = stored.data.find((one) => one.language === language)?.sentence ?? '';
  return <IntroductionForm key={language} stored={sentence} />;
}

function IntroductionForm({ stored }: { stored: string }) {
  const { m, language } = useLanguage();
  const texts = m.account.introduction;
  const [saved, setSaved] = useState(stored);
  const [sentence, setSentence] = useState(stored);
  const { Form, props, result, isBusy, errorOf } = useAccountForm(
    ({ error }) => error || setSaved(sentence.trim()),
  );
  const isChanged = sentence.trim() !== saved;
  return (
    <AccountSection id="introduction" title={texts.title} lead={texts.lead}>
      <Form {...props} className="grid gap-6">
        <input type="hidden" name="intent" value="introduce" />
        <input type="hidden" name="language" value={language} />
        <TextField
          label={texts.sentence}
          hint={texts.hint}
          error={errorOf('sentence')}
          name="sentence"
          limit={MAX_SENTENCE_LENGTH}
          value={sentence}
          readOnly={isBusy}
          onChange={({ target }) => setSentence(target.value)}
        />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Button type="submit" busy={isBusy}>
            {isBusy ? m.account.profile.saving : m.account.profile.save}
          </Button>
          <FormMessage result={isChanged && !result?.error ? undefined : result} />
        </div>
      </Form>
    </AccountSection>
  );
}
