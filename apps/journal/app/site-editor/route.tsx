export default function SiteEditor() {
  return null;
}
