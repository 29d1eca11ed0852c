export { compareSegments } from '@fabrica/dose-guard';
