import type { Viewer } from '../../access/viewer.ts'
import { hashToken, newToken } from '../../secrets/token.ts'

/** Viewers of calls that the service makes to itself, by the hashes of their tickets. */
const viewers = new Map<string, Viewer>()

/**
 * Does something with a ticket, which identifies this viewer like a token and ends with it. So a page
 * can call the API for the user of its session, whose cookie the API does not take. The page has checked its
 * form; the call comes from no form.
 */
export async function withTicket<T>(
  { form_token: _form, ...viewer }: Viewer,
  act: (ticket: string) => Promise<T>,
): Promise<T> {
  const ticket = newToken()
  const hash = hashToken(ticket)
  viewers.set(hash, viewer)
  try {
    return await act(ticket)
  } finally {
    viewers.delete(hash)
  }
}

/** The viewer of a ticket. */
export function viewerOfTicket(text: string): Viewer | undefined {
  return viewers.size === 0 ? undefined : viewers.get(hashToken(text))
}
