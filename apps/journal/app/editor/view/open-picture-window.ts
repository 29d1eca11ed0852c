import { ACCEPTED_FILES } from '../../images/image-file.ts';

/** Opens the browser's window for files, and calls back with the picture that is chosen in it. */
export function openPictureWindow(onChoose: (file: File) => void): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.accept = ACCEPTED_FILES;
  input.hidden = true;
  input.addEventListener('cancel', () => input.remove());
  input.addEventListener('change', () => {
    input.remove();
    const [chosen] = input.files ?? [];
    if (chosen) onChoose(chosen);
  });
  // Safari tells nothing of a field that is not in the page.
  document.body.append(input);
  input.click();
}
