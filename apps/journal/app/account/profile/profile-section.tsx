import type { User } from '@fabrica/contract';
import { type FormEvent, useState } from 'react';
import { useLanguage } from '../../language/language-provider.tsx';
import { MAX_NAME_LENGTH } from '../../sign-in/password/sign-in-fields.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { AccountSection } from '../account-section.tsx';
import { FormMessage } from '../form-message.tsx';
import { useAccountForm } from '../use-account-form.ts';
import { PhotoField } from './photo-field.tsx';
import { findStoredPhoto } from './stored-photo.ts';
import { usePhotoChoice } from './use-photo-choice.ts';

/** Lets the owner change name and photo, which are saved together. */
export function ProfileSection({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.profile;
  const [name, setName] = useState(user.displayName ?? '');
  const photo = usePhotoChoice();
  const { choice } = photo;
  const { Form, props, send, result, isBusy, errorOf } = useAccountForm(({ error, uploaded }) => {
    if (error) return uploaded && typeof choice === 'object' && photo.decide({ ...choice, uploaded });
    photo.decide('keep');
    setName(name.trim());
  });

  // What was saved last says nothing about what was changed after it.
  const isChanged = choice !== 'keep' || name.trim() !== (user.displayName ?? '');

  /** Sends the chosen photo too, which no field holds. */
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (photo.checking) return;
    const fields = new FormData(event.currentTarget);
    fields.set('photo', typeof choice === 'object' ? choice.file : choice);
    if (typeof choice === 'object' && choice.uploaded) fields.set('uploaded', choice.uploaded);
    send(fields, event.currentTarget);
  };

  return (
    <AccountSection id="profile" title={texts.title}>
      <Form {...props} onSubmit={submit} className="grid gap-6">
        <input type="hidden" name="intent" value="profile" />
        <PhotoField
          file={typeof choice === 'object' ? choice.file : null}
          src={choice === 'keep' ? findStoredPhoto(user.photoURL)?.src : undefined}
          removable={typeof choice === 'object' || (choice === 'keep' && user.photoURL !== null)}
          error={photo.problem}
          checking={photo.checking}
          disabled={isBusy}
          onChoose={photo.choose}
          onRemove={() => photo.decide('none')}
        />
        <TextField
          label={texts.name}
          hint={m.post.comments.nameHint}
          error={errorOf('name')}
          name="name"
          autoComplete="name"
          limit={MAX_NAME_LENGTH}
          value={name}
          readOnly={isBusy}
          onChange={({ target }) => setName(target.value)}
        />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Button type="submit" busy={isBusy}>
            {isBusy ? texts.saving : texts.save}
          </Button>
          <FormMessage result={isChanged && !result?.error ? undefined : result} />
        </div>
      </Form>
    </AccountSection>
  );
}
