import { ApiPage } from './ApiPage.tsx';
import { ReadDocument } from './ReadDocument.tsx';

/** A project's calls as a page to read. */
export default function ReadPage() {
  return <ApiPage page="redoc">{(document) => <ReadDocument document={document} />}</ApiPage>;
}
