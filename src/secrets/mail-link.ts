import { createHmac } from 'node:crypto'
import type { Sealer } from './seal.ts'
import { isSameSecret } from './signature.ts'

/** The user and the repository that a mail link is for. */
export interface MailLink {
  user_id: number
  repository_id: number
}

/**
 * The last part of an address at which a user unsubscribes from a repository's build mails without a
 * login, or resubscribes. It lets anyone who has it do that and nothing else.
 */
export function writeMailLink(sealer: Sealer, link: MailLink): string {
  return signed(link, sealer.derive(purpose))
}

const purpose = 'links of mails'

function signed({ user_id, repository_id }: MailLink, key: string): string {
  const named = `${user_id}-${repository_id}`
  return `${named}-${createHmac('sha256', key).update(named).digest('base64url')}`
}

/** The user and repository of a link; undefined if none of the current master keys made it. */
export function readMailLink(sealer: Sealer, text: string): MailLink | undefined {
  const [user, repository] = /^(\d{1,15})-(\d{1,15})-/.exec(text)?.slice(1).map(Number) ?? []
  if (user === undefined || repository === undefined) return undefined
  const link = { user_id: user, repository_id: repository }
  const isOurs = sealer.deriveAll(purpose).some((key) => isSameSecret(signed(link, key), text))
  return isOurs ? link : undefined
}
