import { useId, useState } from 'react';
import { useClient } from '../client/client-context.tsx';
import { ChooseImage } from '../images/choose-image.tsx';
import {
  checkImage,
  describeProblem,
  extensionOf,
  type ImageProblem,
  isConverted,
} from '../images/image-file.ts';
import { resizedUrl } from '../images/image-urls.ts';
import { useStorageUrl } from '../images/responsive-image.tsx';
import { storedUrl } from '../images/upload-image.ts';
import { useLanguage } from '../language/language-provider.tsx';
import type { SiteImage } from '../site/site.ts';
import { Button } from '../ui/button.tsx';
import { FieldNote } from '../ui/field.tsx';
import type { SiteMessages } from './load-site-messages.ts';

interface SiteImageFieldProps {
  label: string;
  hint: string;
  /** The beginning of the file's name in the storage. */
  name: 'logo' | 'about';
  image: SiteImage | null;
  texts: SiteMessages;
  onChange(image: SiteImage | null): void;
}

/** Uploads a picture as soon as it is chosen. Pages show it once the form is saved. */
export function SiteImageField({ label, hint, name, image, texts, onChange }: SiteImageFieldProps) {
  const { m } = useLanguage();
  const { storage } = useClient();
  const [uploading, setUploading] = useState(false);
  const [fault, setFault] = useState<{ file: File; problem: ImageProblem | 'failed' }>();
  const noteId = useId();
  const src = useStorageUrl(image?.url ?? '');

  const choose = async (file: File) => {
    setFault(undefined);
    setUploading(true);
    try {
      const problem = await checkImage(file);
      if (problem) return setFault({ file, problem });
      const path = `site/${name}-${Date.now()}.${extensionOf(file)}`;
      const { publicUrl, width, height } = await storage.upload(file, path, { convert: true });
      onChange({ url: storedUrl(publicUrl), width, height });
    } catch {
      setFault({ file, problem: (await isConverted(file)) ? 'unconverted' : 'failed' });
    } finally {
      setUploading(false);
    }
  };

  const error =
    fault &&
    (fault.problem === 'failed'
      ? texts.imageFailed
      : describeProblem(fault.problem, fault.file, m.publish.image));
  const choice = uploading ? texts.uploading : image ? texts.changeImage : texts.chooseImage;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
        {image && (
          <img
            src={resizedUrl(src, 320)}
            alt=""
            className="h-20 max-w-40 border border-hairline bg-raised object-contain"
          />
        )}
        <ChooseImage
          label={choice}
          name={`${label}: ${choice}`}
          noteId={noteId}
          isInvalid={error !== undefined}
          disabled={uploading}
          onChoose={(file) => void choose(file)}
        />
        {image && (
          <Button variant="quiet" size="small" disabled={uploading} onClick={() => onChange(null)}>
            {texts.removeImage}
          </Button>
        )}
      </div>
      <FieldNote id={noteId} error={error} hint={hint} isAlert />
    </fieldset>
  );
}
