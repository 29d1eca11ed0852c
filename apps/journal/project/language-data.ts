/** Loads the letter groups of 60 languages: 29 MB of memory. */
export { eld } from 'eld/extrasmall';
