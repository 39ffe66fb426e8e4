import { ApiError, useHost } from '@trellis/sdk/web';
import { useState } from 'react';

/** What is wrong with the typed address, in the product's words, or undefined. */
export function emailProblem(email: string): string | undefined {
  if (email.trim() === '') return 'E-mail is required';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim()) ? undefined : 'E-mail must be valid';
}

export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Some internal error occurred';
}

/** Sends credentials, starts the session and keeps what went wrong; nothing typed is lost. */
export function useCredentials(path: string) {
  const host = useHost();
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function send(body: { readonly email: string; readonly password: string }): Promise<boolean> {
    setSending(true);
    setProblem(undefined);
    try {
      const { token } = await host.api.request<{ token: string }>({ method: 'POST', path, body });
      await host.session.signIn(token);
      return true;
    } catch (error) {
      setProblem(host.t(messageOf(error)));
      return false;
    } finally {
      setSending(false);
    }
  }

  return { problem, isSending, send };
}
