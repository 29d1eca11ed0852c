import { nameFault, type User } from '@fabrica/contract';
import { type FormEvent, useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { useLanguage } from '../../language/language-provider.tsx';
import type { Messages } from '../../language/load-messages.ts';
import { MAX_NAME_LENGTH } from '../../sign-in/password/sign-in-fields.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { countCharacters } from '../../ui/text-limit.tsx';
import { AccountSection } from '../account-section.tsx';
import { TaskMessage } from '../task/task-message.tsx';
import { fieldError, useFocusInvalidField, useTask } from '../task/use-task.ts';
import { PhotoField } from './photo-field.tsx';
import { saveProfile } from './save-profile.ts';
import { findStoredPhoto } from './stored-photo.ts';
import { usePhotoChoice } from './use-photo-choice.ts';

/** Lets the owner change name and photo, which are saved together. */
export function ProfileSection({ user }: { user: User }) {
  const { m } = useLanguage();
  const texts = m.account.profile;
  const client = useClient();
  const [name, setName] = useState(user.displayName ?? '');
  const photo = usePhotoChoice();
  const uploaded = useRef(new WeakMap<File, string>());
  const task = useTask<'name'>();
  const form = useFocusInvalidField(task.result);
  const { choice } = photo;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (photo.checking) return;
    if (countCharacters(name) > MAX_NAME_LENGTH) {
      return task.fail({ text: ({ signIn }) => signIn.nameTooLong, field: 'name' });
    }
    const fault = nameFault(name.trim());
    if (fault) {
      const text = ({ post: { comments } }: Messages) =>
        fault === 'email' ? comments.nameIsEmail : comments.nameUnclear;
      return task.fail({ text, field: 'name' });
    }
    const change = { user, displayName: name, photo: choice, uploaded: uploaded.current };
    void task.run(async () => {
      await saveProfile(change, client);
      photo.reset();
      setName(name.trim());
      return ({ account }) => account.profile.saved;
    });
  };

  return (
    <AccountSection id="profile" title={texts.title}>
      <form ref={form} method="post" noValidate onSubmit={submit} className="grid gap-6">
        <PhotoField
          file={choice.kind === 'new' ? choice.file : null}
          src={choice.kind === 'keep' ? findStoredPhoto(user.photoURL)?.src : undefined}
          removable={choice.kind === 'new' || (choice.kind === 'keep' && user.photoURL !== null)}
          error={photo.problem}
          checking={photo.checking}
          disabled={task.busy}
          onChoose={photo.choose}
          onRemove={photo.remove}
        />
        <TextField
          label={texts.name}
          hint={m.post.comments.nameHint}
          error={fieldError(task, 'name', m)}
          name="name"
          autoComplete="name"
          limit={MAX_NAME_LENGTH}
          value={name}
          readOnly={task.busy}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
          <Button type="submit" busy={task.busy}>
            {task.busy ? texts.saving : texts.save}
          </Button>
          <TaskMessage result={task.result} />
        </div>
      </form>
    </AccountSection>
  );
}
