import { useRef, useState } from 'react';
import { useRouteLoaderData } from 'react-router';
import { useClient } from '../../client/client-context.tsx';
import { checkImage, describeProblem } from '../../images/image-file.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { Checkpoint } from '../../publish/draft/checkpoint.ts';
import {
  NotAnImageError,
  UnconvertedImageError,
  uploadImage,
} from '../../publish/publishing/upload-image.ts';
import type { Cover } from '../document.ts';
import { useDeskMessages } from '../use-desk.ts';

export type UploadedPicture = Pick<Cover, 'url' | 'width' | 'height' | 'placeholder'>;

/** Returns a function that checks and uploads a picture, with its progress from 0 to 1 and what went wrong. */
export function useUpload(onUploaded: (picture: UploadedPicture) => void) {
  const { storage } = useClient();
  const { m } = useLanguage();
  const texts = useDeskMessages().cover;
  const page = useRouteLoaderData<{ publicUrl: string; storageOrigin: string }>('root');
  const [progress, setProgress] = useState<number>();
  const [problem, setProblem] = useState('');
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  const upload = async (file: File) => {
    setProblem('');
    const image = m.publish.image;
    const fault = await checkImage(file);
    if (fault) return setProblem(describeProblem(fault, file, image));
    setProgress(0);
    let checkpoint: Checkpoint = {};
    try {
      const {
        url,
        width = null,
        height = null,
        placeholder = null,
      } = await uploadImage(file, {
        storage,
        origins: [window.location.origin, page?.publicUrl ?? '', page?.storageOrigin ?? ''],
        checkpoint: {
          id: 'desk',
          read: () => checkpoint,
          write: (next) => {
            checkpoint = next;
          },
        },
        signal: new AbortController().signal,
        onProgress: setProgress,
      });
      uploaded.current({ url, width, height, placeholder });
    } catch (error) {
      if (error instanceof NotAnImageError) setProblem(image.notAnImage);
      else setProblem(error instanceof UnconvertedImageError ? image.unconverted : texts.failed);
    } finally {
      setProgress(undefined);
    }
  };
  return { upload, progress, problem };
}
