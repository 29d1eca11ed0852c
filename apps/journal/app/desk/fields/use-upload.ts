import { useRef, useState } from 'react';
import { useClient } from '../../client/client-context.tsx';
import { checkImage, describeProblem, type ImageProblem } from '../../images/image-file.ts';
import { NotAnImageError, UnconvertedImageError, uploadImage } from '../../images/upload-image.ts';
import { useLanguage } from '../../language/language-provider.tsx';
import type { Cover } from '../document.ts';
import { useDeskMessages } from '../use-desk.ts';

type UploadedPicture = Pick<Cover, 'url' | 'width' | 'height' | 'placeholder'>;

/** A file that did not become a picture, and why. */
interface Fault {
  file: File;
  problem: ImageProblem | 'failed';
}

/**
 * Returns a function that checks and uploads pictures one after the other, with its progress from 0 to 1 and what went
 * wrong with each, in the language of the page. What is chosen while it is busy is not taken.
 */
export function useUpload(onUploaded: (picture: UploadedPicture) => void) {
  const { storage } = useClient();
  const { m } = useLanguage();
  const texts = useDeskMessages().cover;
  const [progress, setProgress] = useState<number>();
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [count, setCount] = useState(0);
  const isBusy = useRef(false);
  const uploaded = useRef(onUploaded);
  uploaded.current = onUploaded;

  const uploadOne = async (file: File): Promise<Fault['problem'] | null> => {
    try {
      const problem = await checkImage(file);
      if (problem) return problem;
      const { url, width, height, placeholder } = await uploadImage(file, {
        storage,
        onProgress: setProgress,
      });
      uploaded.current({ url, width, height, placeholder });
      return null;
    } catch (error) {
      if (error instanceof NotAnImageError) return 'not-an-image';
      return error instanceof UnconvertedImageError ? 'unconverted' : 'failed';
    }
  };
  const upload = async (...files: readonly File[]) => {
    if (isBusy.current || files.length === 0) return;
    isBusy.current = true;
    setCount(files.length);
    setFaults([]);
    for (const file of files) {
      setProgress(0);
      const problem = await uploadOne(file);
      if (problem) setFaults((before) => [...before, { file, problem }]);
    }
    setProgress(undefined);
    isBusy.current = false;
  };
  const problem = faults
    .map(({ file, problem: one }) => {
      const words = one === 'failed' ? texts.failed : describeProblem(one, file, m.publish.image);
      return count > 1 ? `${file.name}: ${words}` : words;
    })
    .join(' ');
  return { upload, progress, problem };
}
