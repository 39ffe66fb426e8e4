export function emitDeclarations(root: string): string;
