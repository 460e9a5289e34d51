import type { Repository } from '../../../domain/repository.ts'
import { isStorable } from '../../../domain/text/storable-text.ts'
import { removeSshKey, setSshKey } from '../../../flow/secrets/ssh-keys.ts'
import { readPrivateKey } from '../../../secrets/private-key.ts'
import { findPublicKey } from '../../../store/secrets/key-pairs.ts'
import { findSshKey } from '../../../store/secrets/ssh-keys.ts'
import { type Call, get, givenIn, post } from '../../core/endpoint.ts'
import { actorOf } from '../../identity/actor.ts'
import { asPage } from '../as-page.tsx'
import { redirectWith } from '../notice.ts'
import { oneRepository } from '../one-repository.ts'
import { keysPath } from '../paths.ts'
import { KeysPage } from './page.tsx'

const show = asPage(KeysPage)
const none: ReadonlyMap<string, string> = new Map()

const ofRepository = {
  ...oneRepository,
  login: true,
  scope: 'settings',
  right: 'create_key_pair',
} as const

const refusals = {
  not_a_private_key: 'this is not a private key for SSH',
  key_with_a_passphrase: 'it has a passphrase, which no job can enter: use a copy without it',
} as const

export const keyPages = [
  get('/:owner/:name/keys', {
    ...ofRepository,
    act: (call, repository) => shown(call, repository),
    present: (read, call) => show(read, call),
  }),

  post('/:owner/:name/keys', {
    ...ofRepository,
    async act(call, repository) {
      const { value, description = '' } = givenIn(call)
      const text = typeof description === 'string' ? description.trim() : ''
      const key = readPrivateKey(typeof value === 'string' ? value : '')
      const problems = new Map<string, string>()
      if (!isStorable(text) || text.length > 1000) {
        problems.set('description', 'enter a text of at most 1,000 characters')
      }
      if (typeof key === 'string' || problems.size > 0) {
        problems.set('value', typeof key === 'string' ? refusals[key] : 'enter the key again')
        const read = { ...(await shown(call, repository)), description: text, problems }
        return show(read, call, 422)
      }
      const given = { repository_id: repository.id, key, description: text }
      await setSshKey(call.ctx, actorOf(call), given)
      const { site } = call.ctx
      return redirectWith(site, keysPath(site.prefix, repository), 'key_set')
    },
    present: (answer) => answer,
  }),

  post('/:owner/:name/keys/delete', {
    ...ofRepository,
    right: 'delete_key_pair',
    async act(call, repository) {
      // Someone else may have been quicker, with the same result.
      await removeSshKey(call.ctx, actorOf(call), { repository_id: repository.id })
      const { site } = call.ctx
      return redirectWith(site, keysPath(site.prefix, repository), 'key_deleted')
    },
    present: (answer) => answer,
  }),
]

async function shown({ ctx: { db } }: Call, repository: Repository) {
  const [pair, custom] = await Promise.all([
    findPublicKey(db, repository.id),
    findSshKey(db, repository.id),
  ])
  return { repository, pair, custom, description: custom?.description ?? '', problems: none }
}
