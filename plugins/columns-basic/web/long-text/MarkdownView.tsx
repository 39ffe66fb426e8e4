import { type ReactNode, useMemo } from 'react';
import { readBlocks, type Block } from './markdown-blocks.ts';
import type { Inline } from './markdown-inline.ts';

/** Maximum number of drawn characters: the elements of more would block the page. */
const mostDrawn = 200_000;

/** A Markdown text as elements; HTML in it is treated as text. */
export function MarkdownView({ text }: { readonly text: string }) {
  const blocks = useMemo(() => readBlocks(text.slice(0, mostDrawn)), [text]);
  return (
    <div className="cb-markdown" dir="auto">
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
      {text.length > mostDrawn && <p>…</p>}
    </div>
  );
}

const headings = { 1: 'h3', 2: 'h4', 3: 'h5' } as const;

function BlockView({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const Heading = headings[block.level];
      return <Heading>{inlines(block.items)}</Heading>;
    }
    case 'code':
      return (
        <pre>
          <code>{block.text}</code>
        </pre>
      );
    case 'rule':
      return <hr />;
    case 'list': {
      const List = block.isNumbered ? 'ol' : 'ul';
      return (
        <List>
          {block.items.map(({ done, items }, index) => (
            <li key={index} className={done === undefined ? undefined : 'cb-task'}>
              {done !== undefined && <input type="checkbox" checked={done} disabled aria-label="" />}
              {inlines(items)}
            </li>
          ))}
        </List>
      );
    }
    default: {
      const lines = block.lines.map((line, index) => (
        <span key={index}>
          {index > 0 && <br />}
          {inlines(line)}
        </span>
      ));
      return block.kind === 'quote' ? <blockquote>{lines}</blockquote> : <p>{lines}</p>;
    }
  }
}

function inlines(items: readonly Inline[]): ReactNode {
  return items.map((item, index) => {
    switch (item.kind) {
      case 'text':
        return item.text;
      case 'code':
        return <code key={index}>{item.text}</code>;
      case 'bold':
        return <strong key={index}>{inlines(item.items)}</strong>;
      case 'italic':
        return <em key={index}>{inlines(item.items)}</em>;
      case 'strike':
        return <del key={index}>{inlines(item.items)}</del>;
      case 'link':
        return (
          <a key={index} href={item.href} target="_blank" rel="noopener noreferrer">
            {inlines(item.items)}
          </a>
        );
    }
  });
}
