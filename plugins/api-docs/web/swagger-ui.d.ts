/** The part of Swagger UI that the page uses. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerRequest {
    readonly url: string;
    readonly headers: Record<string, string>;
  }
  interface SwaggerOptions {
    readonly domNode: HTMLElement;
    readonly spec: object;
    readonly docExpansion: 'list' | 'full' | 'none';
    /** Null: no external service validates the document. */
    readonly validatorUrl: null;
    readonly defaultModelsExpandDepth: number;
    /** False: requests are shown as they were before `requestInterceptor`. */
    readonly showMutatedRequest: boolean;
    requestInterceptor(request: SwaggerRequest): SwaggerRequest;
  }
  export default function SwaggerUI(options: SwaggerOptions): unknown;
}
