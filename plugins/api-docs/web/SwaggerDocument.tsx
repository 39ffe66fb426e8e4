import { useHost, useShell } from '@trellis/sdk/web';
import { useEffect, useRef } from 'react';
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import type { ApiDocument } from '../shared/index.ts';

/** Swagger UI for a document. Calls that are tried are sent with this page's session, and only to this server. */
export default function SwaggerDocument({ document: shown }: { readonly document: ApiDocument }) {
  const { session } = useHost();
  const { dark } = useShell();
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const place = box.current;
    if (place === null) return undefined;
    // A new root for each document, because Swagger UI cannot be unmounted.
    const root = window.document.createElement('div');
    place.append(root);
    SwaggerUI({
      domNode: root,
      // Swagger UI changes its input.
      spec: structuredClone(shown),
      docExpansion: 'list',
      validatorUrl: null,
      defaultModelsExpandDepth: 0,
      // The command to copy must not contain the person's session.
      showMutatedRequest: false,
      requestInterceptor(request) {
        const token = session.token();
        const isOurs = new URL(request.url, location.href).origin === location.origin;
        const names = Object.keys(request.headers).map((name) => name.toLowerCase());
        const isSigned = names.includes('xc-auth') || names.includes('xc-token');
        if (isOurs && !isSigned && token !== undefined) request.headers['xc-auth'] = token;
        return request;
      },
    });
    return () => root.remove();
  }, [shown, session]);

  useEffect(() => {
    const { classList } = window.document.documentElement;
    classList.toggle('dark-mode', dark);
    return () => classList.remove('dark-mode');
  }, [dark]);

  return <div ref={box} className="api-docs-swagger" />;
}
