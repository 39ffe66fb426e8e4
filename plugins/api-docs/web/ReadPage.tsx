import { ApiPage } from './ApiPage.tsx';
import { ReadDocument } from './ReadDocument.tsx';

/** The calls of a project, to be read from top to bottom. */
export default function ReadPage() {
  return <ApiPage page="redoc">{(document) => <ReadDocument document={document} />}</ApiPage>;
}
