import { createHmac } from 'node:crypto'
import type { Sealer } from './seal.ts'
import { isSameSecret } from './signature.ts'

/** Whose mails about which repository. */
export interface MailLink {
  user_id: number
  repository_id: number
}

/**
 * The last part of an address at which a user leaves the build mails of a repository without a login,
 * or gets them again. Whoever has it can do that and nothing else.
 */
export function writeMailLink(sealer: Sealer, link: MailLink): string {
  return signed(link, sealer.derive(purpose))
}

const purpose = 'links of mails'

function signed({ user_id, repository_id }: MailLink, key: string): string {
  const named = `${user_id}-${repository_id}`
  return `${named}-${createHmac('sha256', key).update(named).digest('base64url')}`
}

/** What such a link is about; undefined for one that was made with none of the master keys here. */
export function readMailLink(sealer: Sealer, text: string): MailLink | undefined {
  const [user, repository] = /^(\d{1,15})-(\d{1,15})-/.exec(text)?.slice(1).map(Number) ?? []
  if (user === undefined || repository === undefined) return undefined
  const link = { user_id: user, repository_id: repository }
  const isOurs = sealer.deriveAll(purpose).some((key) => isSameSecret(signed(link, key), text))
  return isOurs ? link : undefined
}
