/** Swagger UI, as far as the page uses it. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerRequest {
    readonly url: string;
    readonly headers: Record<string, string>;
  }
  interface SwaggerOptions {
    readonly domNode: HTMLElement;
    readonly spec: object;
    readonly docExpansion: 'list' | 'full' | 'none';
    /** Null asks nobody whether the document is valid. */
    readonly validatorUrl: null;
    readonly defaultModelsExpandDepth: number;
    /** False shows requests as they were before `requestInterceptor`. */
    readonly showMutatedRequest: boolean;
    requestInterceptor(request: SwaggerRequest): SwaggerRequest;
  }
  export default function SwaggerUI(options: SwaggerOptions): unknown;
}
